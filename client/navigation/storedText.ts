import type { Page } from "../contract.gen";

/** What the service worker adds to a page that it had stored: a sentence that says how old the page is. */
export interface StoredText {
  stored?: string;
}

export function storedText(page: Page | Error): string | undefined {
  return (page as StoredText).stored;
}
