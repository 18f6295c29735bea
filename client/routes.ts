import { matchPath } from "./router";

/** What is shown while a page's data is on its way. */
export type Pending = "listing" | "product" | "bar";

/**
 * Every address of the shop. The host's URL table has the same rows and decides what exists; the
 * data of a page says what it shows, so the browser asks this table only about pages to come.
 */
const ROUTES: readonly { path: string; pending: Pending }[] = [
  { path: "/", pending: "bar" },
  { path: "/categories", pending: "bar" },
  { path: "/brands", pending: "bar" },
  { path: "/products", pending: "listing" },
  { path: "/sale", pending: "listing" },
  { path: "/new-arrivals", pending: "listing" },
  { path: "/best-sellers", pending: "listing" },
  { path: "/deals", pending: "listing" },
  { path: "/category/:slug", pending: "listing" },
  { path: "/search", pending: "listing" },
  { path: "/search/:text", pending: "listing" },
  { path: "/product/:id", pending: "product" },
];

/** The row of an address, or undefined when it is none of the shop's pages. */
export function routeOf(pathname: string) {
  return ROUTES.find(({ path }) => matchPath(path, pathname) !== null);
}
