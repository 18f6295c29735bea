import "./globals";
import { App } from "../client/App";
import type { Page } from "../client/contract.gen";
import { createPageRouter } from "../client/navigation/pageRouter";
import { replaceTexts as replace } from "../client/texts/texts";
import type { Texts } from "../client/texts/texts";
import { forgetMarkup, limitMarkup, renderWithMemo } from "./memoised";

/** Called by the host. Takes a page's data as JSON and returns the markup inside the root element. */
function renderPage(json: string): string {
  // The host serialises its own `Page` type, from which this one is generated.
  const page = JSON.parse(json) as Page;
  return renderWithMemo(<App router={createPageRouter(page)} />);
}

/** Called by the host when the shop's texts are others than before. Takes them as JSON; without any, English ones come back. */
function replaceTexts(json?: string): void {
  replace(json === undefined ? undefined : (JSON.parse(json) as Texts));
  forgetMarkup();
}

// The host calls `limitMarkup` when it has started an isolate, and `forgetMarkup` when memory is tight.
Object.assign(globalThis, { renderPage, replaceTexts, limitMarkup, forgetMarkup });
