import { expect, it } from "vitest";
import { pendingOf, routeOf } from "./routes";

it.each([
  ["/", "/", "bar"],
  ["/deals", "/deals", "listing"],
  ["/category/mens-shirts", "/category/:slug", "listing"],
  ["/search", "/search", "listing"],
  ["/search/a%2Fb", "/search/:text", "listing"],
  ["/product/7", "/product/:id", "product"],
  ["/assets/entry.js", undefined, "bar"],
])("knows the route of %s and what is shown while it loads", (pathname, route, pending) => {
  expect(routeOf(pathname)).toBe(route);
  expect(pendingOf(pathname)).toBe(pending);
});
