import type { SubmitEvent } from "react";
import { pageHref } from "../navigation/addresses";
import { useNavigate } from "../navigation/router";
import { searchHref } from "../navigation/searchUrl";
import { language, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import "./SearchBox.css";

/** A GET form, which the host answers when there is no JavaScript. */
export function SearchBox({ text: searched }: { text: string }) {
  const navigate = useNavigate();

  function search(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    // A suggestion that was chosen submits the form by its link (`autocomplete/main.ts`).
    const chosen = event.nativeEvent.submitter?.getAttribute("href");
    const href = chosen ?? searchHref(event.currentTarget.querySelector("input")?.value ?? "");
    if (href !== undefined) void navigate(href);
  }

  return (
    <form className="SearchBox" lang={language} role="search" action={pageHref("/search")} method="get" onSubmit={search}>
      <input
        className="SearchBox-input field"
        type="search"
        name="q"
        defaultValue={searched}
        placeholder={text(Key.searchProducts)}
        aria-label={text(Key.searchProducts)}
        autoComplete="off"
        enterKeyHint="search"
      />
      <button type="submit" className="SearchBox-submit icon-button" aria-label={text(Key.search)}>
        <Icon name="search" size={20} />
      </button>
    </form>
  );
}
