import { percentEncode } from "./percentEncode";
import type { PagePath, RoutePath } from "./routes";

/** The address of a page without parameters. The type rejects a path that is not a route. */
export function pageHref(path: PagePath): string {
  return path;
}

export function productHref(id: number): string {
  return fillRoute("/product/:id", id);
}

export function categoryHref(slug: string): string {
  return fillRoute("/category/:slug", slug);
}

/** The list of categories, filtered by a text. */
export function categoriesHref(text: string): string {
  const path = pageHref("/categories");
  const query = text.trim();
  return query === "" ? path : `${path}?q=${percentEncode(query)}`;
}

/** The path of a route with its parameter replaced by an encoded value. */
export function fillRoute(route: Exclude<RoutePath, PagePath>, value: string | number): string {
  return route.replace(/:\w+$/, () => percentEncode(value));
}
