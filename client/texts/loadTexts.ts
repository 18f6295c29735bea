import { replaceTexts } from "./texts";
import type { Texts } from "./texts";

/** Loads the texts that the document names instead of the English ones, if it names some. */
export async function loadTexts(): Promise<void> {
  const { href } = document.querySelector<HTMLLinkElement>("#texts") ?? {};
  if (href === undefined) return;
  // eslint-disable-next-line no-restricted-syntax -- The host writes this module; its address has the hash of its texts.
  const { default: texts } = (await import(href)) as { default: Texts };
  replaceTexts(texts);
}
