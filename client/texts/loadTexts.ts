import { replaceTexts } from "./texts";
import type { Texts } from "./texts";

/** Loads the texts that the document names instead of the English ones, if it names some. */
export async function loadTexts(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>("#texts");
  // eslint-disable-next-line no-restricted-syntax -- The host writes this module; its address has the hash of its texts.
  if (link !== null) replaceTexts(((await import(link.href)) as { default: Texts }).default);
}
