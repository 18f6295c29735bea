import type { Page } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ageInWords } from "./ageInWords";

/** What the service worker adds to a page that it had stored: how old the page is, in milliseconds. */
export interface StoredAge {
  stored?: number;
}

/** Says how old a page is that the service worker had stored. */
export function storedText(page: Page | Error): string | undefined {
  const { stored } = page as StoredAge;
  return stored === undefined ? undefined : text(Key.stored, ageInWords(stored));
}
