import "./globals";
import { renderToString } from "react-dom/server";
import type { Page } from "../client/contract.gen";
import { hydrationData } from "../client/hydration";
import { createStaticRouter, matchRoutes, parsePath, StaticRouterProvider } from "../client/router";
import type { StaticHandlerContext } from "../client/router";
import { routes } from "../client/routes";

/** The one function that the host calls: a page's data in, the markup inside the root out. */
function renderPage(json: string): string {
  // The host made this text from its own `Page` type.
  const page = JSON.parse(json) as Page;
  const context = staticContext(page);
  return renderToString(
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
  );
}

/** What the router's own request handler would give, without its asynchronous loaders. */
function staticContext(page: Page): StaticHandlerContext {
  const { pathname = "/", search = "" } = parsePath(page.path);
  return {
    ...hydrationData(page, page.path),
    basename: "/",
    location: { pathname, search, hash: "", state: null, key: "default" },
    matches: (matchRoutes(routes, page.path) ?? []) as StaticHandlerContext["matches"],
    actionData: null,
    errors: null,
    statusCode: page.status,
    loaderHeaders: {},
    actionHeaders: {},
  };
}

Object.assign(globalThis, { renderPage });
