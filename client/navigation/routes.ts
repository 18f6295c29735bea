import { ROUTE_PATHS } from "../routes.gen";
import { matchPath } from "./router";

export type RoutePath = (typeof ROUTE_PATHS)[number];

/** A route without parameters, whose path can therefore be used as a link. */
export type PagePath = Exclude<RoutePath, `${string}:${string}`>;

/** Shown while a page loads: a listing's skeleton, a product's spinner, or a progress bar above the current page. */
export type Pending = "listing" | "product" | "bar";

/** The routes with their own placeholder; the others show the bar. */
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

/** The route that matches a path, or undefined when the path is not a page of the shop. */
export function routeOf(pathname: string): RoutePath | undefined {
  return ROUTE_PATHS.find((path) => matchPath(path, pathname) !== null);
}

export function pendingOf(pathname: string): Pending {
  const route = routeOf(pathname);
  return (route && PENDING[route]) ?? "bar";
}
