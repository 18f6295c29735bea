import type { Filters, Listing } from "../../contract.gen";
import { listingHref } from "../../filterUrl";
import { wholePrice } from "./wholePrice";

/** One active filter: what it says, and how to be without it. */
export interface FilterChip {
  key: string;
  label: string;
  /** The listing without it. */
  href: string;
  removal: Partial<Filters>;
}

/** The active filters of a listing, in the order of the panel. */
export function filterChips({ basePath, facets }: Listing, filters: Filters): FilterChip[] {
  function chip(key: string, label: string, removal: Partial<Filters>): FilterChip {
    return { key, label, href: listingHref(basePath, { ...filters, ...removal }), removal };
  }
  const nameOf = new Map(facets.categories.map(({ value, name }) => [value, name]));
  return [
    ...(filters.query === "" ? [] : [chip("q", `"${filters.query}"`, { query: "" })]),
    ...(filters.maxPrice === null ? [] : [chip("max", `Up to ${wholePrice(filters.maxPrice)}`, { maxPrice: null })]),
    ...(filters.minRating === null ? [] : [chip("rating", ratingLabel(filters.minRating), { minRating: null })]),
    ...filters.categories.map((slug) =>
      chip(`category ${slug}`, nameOf.get(slug) ?? slug, { categories: without(filters.categories, slug) }),
    ),
    ...filters.brands.map((brand) => chip(`brand ${brand}`, brand, { brands: without(filters.brands, brand) })),
    ...(filters.inStock ? [chip("stock", "In stock only", { inStock: false })] : []),
  ];
}

function ratingLabel(stars: number): string {
  return stars === 5 ? "5 stars" : stars === 1 ? "1 star and up" : `${stars} stars and up`;
}

function without(values: readonly string[], value: string): string[] {
  return values.filter((other) => other !== value);
}
