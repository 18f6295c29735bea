import "./globals";
import { renderToString } from "react-dom/server";
import { App } from "../client/App";
import type { Page } from "../client/contract.gen";
import { createPageRouter } from "../client/navigation/pageRouter";

/** The one function that the host calls: a page's data in, the markup inside the root out. */
function renderPage(json: string): string {
  // The host made this text from its own `Page` type.
  const page = JSON.parse(json) as Page;
  return renderToString(<App router={createPageRouter(page)} />);
}

Object.assign(globalThis, { renderPage });
