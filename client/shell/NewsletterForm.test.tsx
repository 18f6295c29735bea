import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { NewsletterForm } from "./NewsletterForm";

it("asks for an email address, logs it and thanks", () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  render(<NewsletterForm invitation="Join 50,000+ subscribers." />);
  const email = screen.getByRole<HTMLInputElement>("textbox", { name: /50,000\+ subscribers/ });
  expect(email.type).toBe("email");
  expect(email.required).toBe(true);
  fireEvent.change(email, { target: { value: "ada@example.org" } });
  fireEvent.submit(email);
  expect(log.mock.calls).toEqual([["Newsletter subscription:", "ada@example.org"]]);
  expect(screen.getByRole("status").textContent).toBe("Thank you for your interest!");
});
