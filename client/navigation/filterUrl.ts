import type { Filters } from "../contract.gen";
import { compareByCodePoint } from "./codePointOrder";
import { percentEncode } from "./percentEncode";

export const NO_FILTERS: Filters = {
  query: "",
  maxPrice: null,
  minRating: null,
  categories: [],
  brands: [],
  tag: "",
  inStock: false,
  sort: null,
  allFacets: false,
};

/**
 * The address of a listing with these filters. Parameters have one order and one spelling, the
 * same as in the host, so that a filtered listing has one address. Defaults are left out.
 */
export function listingHref(basePath: string, filters: Filters, page = 1): string {
  const query = filters.query.trim();
  const parameters = [
    ...(query === "" ? [] : [parameter("q", query)]),
    ...(filters.maxPrice === null ? [] : [parameter("max", filters.maxPrice)]),
    ...(filters.minRating === null ? [] : [parameter("rating", filters.minRating)]),
    ...sortedUnique(filters.categories).map((slug) => parameter("category", slug)),
    ...sortedUnique(filters.brands).map((brand) => parameter("brand", brand)),
    ...(hasTag(filters) ? [parameter("tag", filters.tag)] : []),
    ...(filters.inStock ? [parameter("stock", 1)] : []),
    ...(filters.sort === null ? [] : [parameter("sort", filters.sort)]),
    ...(filters.allFacets === true ? [parameter("facets", "all")] : []),
    ...(page > 1 ? [parameter("page", page)] : []),
  ];
  return parameters.length === 0 ? basePath : `${basePath}?${parameters.join("&")}`;
}

export function hasTag(filters: Filters): filters is Filters & { tag: string } {
  return filters.tag !== undefined && filters.tag !== "";
}

function parameter(name: string, value: string | number): string {
  return `${name}=${percentEncode(value)}`;
}

function sortedUnique(values: readonly string[]): string[] {
  return [...new Set(values)].sort(compareByCodePoint);
}
