import type { Filters, Parameter } from "../contract.gen";
import { FACETS } from "../facets.gen";
import { compareByCodePoint } from "./codePointOrder";
import { percentEncode } from "./percentEncode";

const PARAMETERS = [...FACETS.map(({ parameter }) => parameter), "sort", "facets"] as const;

/** Has every parameter, so that as a change it clears all filters. */
export const NO_FILTERS: Filters = Object.fromEntries(PARAMETERS.map((name) => [name, undefined]));

/**
 * The address of a listing with these filters. Parameters have one order and one spelling, the
 * same as in the host, so that a filtered listing has one address. Defaults are left out.
 */
export function listingHref(basePath: string, filters: Filters, page = 1): string {
  const parameters: string[] = [];
  // A page has many of these addresses, and most filters are not set.
  for (const name of PARAMETERS) {
    if (filters[name] === undefined) continue;
    for (const value of valuesOf(filters[name])) parameters.push(parameter(name, value));
  }
  if (page > 1) parameters.push(parameter("page", page));
  return parameters.length === 0 ? basePath : `${basePath}?${parameters.join("&")}`;
}

/** The filters in which one parameter alone is set; as a change, it changes that one. */
export function only<Name extends Parameter>(name: Name, value: Filters[Name]): Filters {
  const filters: Filters = {};
  filters[name] = value;
  return filters;
}

/** The values that an address has for a filter: none where it is not set. */
export function valuesOf(value: Filters[keyof Filters]): (string | number)[] {
  if (value === undefined) return [];
  if (value === true) return [1];
  if (typeof value === "number") return [value];
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  return [...new Set(value)].sort(compareByCodePoint);
}

function parameter(name: string, value: string | number): string {
  return `${name}=${percentEncode(value)}`;
}
