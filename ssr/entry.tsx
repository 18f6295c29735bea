import "./globals";
import { renderToString } from "react-dom/server";
import { App } from "../client/App";
import type { Page } from "../client/contract.gen";
import { createPageRouter } from "../client/navigation/pageRouter";

/** Called by the host. Takes a page's data as JSON and returns the markup inside the root element. */
function renderPage(json: string): string {
  // The host serialises its own `Page` type, from which this one is generated.
  const page = JSON.parse(json) as Page;
  return renderToString(<App router={createPageRouter(page)} />);
}

Object.assign(globalThis, { renderPage });
