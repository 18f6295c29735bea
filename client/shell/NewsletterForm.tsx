import { useState } from "react";
import type { SubmitEvent } from "react";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import "./NewsletterForm.css";

/** The page has one newsletter form. */
const EMAIL_ID = "NewsletterForm-email";

/** `invitation` is the label of the field. */
export function NewsletterForm({ invitation }: { invitation: string }) {
  const [thanked, setThanked] = useState(false);

  function subscribe(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const email = form.querySelector("input")?.value;
    console.log("Newsletter subscription:", email);
    form.reset();
    setThanked(true);
  }

  return (
    <form className="NewsletterForm" onSubmit={subscribe}>
      <label className="NewsletterForm-label" htmlFor={EMAIL_ID}>
        {invitation}
      </label>
      <div className="NewsletterForm-row">
        {/* Without a name the browser does not put the address into the URL when there is no JavaScript. */}
        <input
          className="field"
          id={EMAIL_ID}
          type="email"
          required
          autoComplete="email"
          placeholder={text(Key.emailExample)}
        />
        <button type="submit" className="NewsletterForm-submit button">
          {text(Key.subscribe)}
        </button>
      </div>
      <p className="NewsletterForm-thanks" role="status">
        {thanked && text(Key.thanks)}
      </p>
    </form>
  );
}
