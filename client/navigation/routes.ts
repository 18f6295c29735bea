import { ROUTE_PATHS } from "../routes.gen";
import { matchPath } from "./router";

export type RoutePath = (typeof ROUTE_PATHS)[number];

/** A route without a parameter: its path is an address. */
export type PagePath = Exclude<RoutePath, `${string}:${string}`>;

/** What is shown while a page is loading: a skeleton, a spinner, or a bar above the current page. */
export type Pending = "listing" | "product" | "bar";

/** The routes that have a stand-in of their own; the others show a bar. */
const PENDING: Partial<Record<RoutePath, Pending>> = {
  "/products": "listing",
  "/sale": "listing",
  "/new-arrivals": "listing",
  "/best-sellers": "listing",
  "/deals": "listing",
  "/category/:slug": "listing",
  "/search": "listing",
  "/search/:text": "listing",
  "/product/:id": "product",
};

/** The route of an address, or undefined when it is not a page of the shop. */
export function routeOf(pathname: string): RoutePath | undefined {
  return ROUTE_PATHS.find((path) => matchPath(path, pathname) !== null);
}

export function pendingOf(pathname: string): Pending {
  const route = routeOf(pathname);
  return (route && PENDING[route]) ?? "bar";
}
