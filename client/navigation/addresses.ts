import { percentEncode } from "./percentEncode";
import type { PagePath, RoutePath } from "./routes";

/** The address of a page without parameters. The type rejects a path that is not a route. */
export function pageHref(path: PagePath): string {
  return path;
}

export function productHref(id: string): string {
  return fillRoute("/product/:id", id);
}

/** The page of a product with a chosen variant, whose id no address has to encode. */
export function variantHref(id: string, variant: string): string {
  return `${productHref(id)}?variant=${variant}`;
}

export function categoryHref(slug: string): string {
  return fillRoute("/category/:slug", slug);
}

/** A page of all brands. */
export function brandsHref(page: number): string {
  const path = pageHref("/brands");
  return page > 1 ? `${path}?page=${page}` : path;
}

/** The list of categories, filtered by a text; a page of it where there are many. */
export function categoriesHref(text: string, page = 1): string {
  const query = text.trim();
  const parameters = [
    ...(query === "" ? [] : [`q=${percentEncode(query)}`]),
    ...(page > 1 ? [`page=${page}`] : []),
  ];
  const path = pageHref("/categories");
  return parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
}

/** The path of a route with its parameter replaced by an encoded value. */
export function fillRoute(route: Exclude<RoutePath, PagePath>, value: string): string {
  return route.replace(/:\w+$/, () => percentEncode(value));
}
