import type { Filters } from "./contract.gen";

/**
 * A listing's filters as an address. The host reads the same parameters; one order and one spelling
 * mean that a filtered listing has one address, which can be shared and cached.
 */

export const NO_FILTERS: Filters = {
  query: "",
  maxPrice: null,
  minRating: null,
  categories: [],
  brands: [],
  inStock: false,
  sort: null,
};

/** The address of a listing with these filters; what is at its default is left out. */
export function listingHref(basePath: string, filters: Filters, page = 1): string {
  const query = filters.query.trim();
  const parameters = [
    ...(query === "" ? [] : [parameter("q", query)]),
    ...(filters.maxPrice === null ? [] : [parameter("max", filters.maxPrice)]),
    ...(filters.minRating === null ? [] : [parameter("rating", filters.minRating)]),
    ...inOrder(filters.categories).map((slug) => parameter("category", slug)),
    ...inOrder(filters.brands).map((brand) => parameter("brand", brand)),
    ...(filters.inStock ? [parameter("stock", 1)] : []),
    ...(filters.sort === null ? [] : [parameter("sort", filters.sort)]),
    ...(page > 1 ? [parameter("page", page)] : []),
  ];
  return parameters.length === 0 ? basePath : `${basePath}?${parameters.join("&")}`;
}

/** The list with the value added, or without it where it was there. */
export function toggled(values: readonly string[], value: string): string[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
}

/** How many filters narrow the listing; the sort order is none of them. */
export function activeFilterCount(filters: Filters): number {
  return (
    (filters.query.trim() === "" ? 0 : 1) +
    (filters.maxPrice === null ? 0 : 1) +
    (filters.minRating === null ? 0 : 1) +
    filters.categories.length +
    filters.brands.length +
    (filters.inStock ? 1 : 0)
  );
}

function parameter(name: string, value: string | number): string {
  // Half of a surrogate pair, which typing can leave behind, has no UTF-8 form and would throw.
  return `${name}=${encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, "\uFFFD"))}`;
}

function inOrder(values: readonly string[]): string[] {
  return [...new Set(values)].sort(byCodePoint);
}

/** The host's order of strings: by code point, where JavaScript's own would go by UTF-16 unit. */
function byCodePoint(left: string, right: string): number {
  const [lefts, rights] = [codePoints(left), codePoints(right)];
  const at = lefts.findIndex((point, index) => point !== rights[index]);
  if (at === -1) return lefts.length - rights.length;
  return (lefts[at] ?? 0) - (rights[at] ?? -1);
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
