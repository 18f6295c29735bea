// The application's components as a Node user would render them: nothing of `ssr/`, which may know more about the
// server than they do.
import { renderToString } from "react-dom/server";
import { App } from "../../../client/App";
import type { Page } from "../../../client/contract.gen";
import { createPageRouter } from "../../../client/navigation/pageRouter";

export function render(json: string): string {
  // The data are those that the shop has put into its own document.
  const page = JSON.parse(json) as Page;
  return renderToString(<App router={createPageRouter(page)} />);
}
