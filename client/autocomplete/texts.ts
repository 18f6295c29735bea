import { pieces } from "../texts/forms";
import { ENGLISH_SUGGESTIONS } from "../texts/texts.gen";

type Suggestion = keyof typeof ENGLISH_SUGGESTIONS;
type Texts = Partial<Record<Suggestion, string>>;

let [rule, texts]: readonly [rule: string, texts: Texts] = ["101", ENGLISH_SUGGESTIONS];

/** Loads the texts that the document names, as the client does (`texts/loadTexts.ts`). One that they lack is English. */
export async function loadTexts(): Promise<void> {
  const { href } = document.querySelector<HTMLLinkElement>("#texts") ?? {};
  if (href === undefined) return;
  // eslint-disable-next-line no-restricted-syntax -- The host writes this module; its address has the hash of its texts.
  ({ suggestions: [rule, texts] } = (await import(href)) as { suggestions: [string, Texts] });
}

/** A text with its values. Of a text with several forms the first value is the count, which decides. */
export function text(key: Suggestion, ...values: (string | number)[]): string {
  return pieces(texts[key] ?? ENGLISH_SUGGESTIONS[key], rule, values).join("");
}
