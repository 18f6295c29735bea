import type { Filters, Listing } from "../contract.gen";
import { hasTag, listingHref } from "../navigation/filterUrl";
import { toggled } from "./toggled";
import { wholePrice } from "./wholePrice";

export interface ActiveFilter {
  /** The parameter that it filters by, and the value if the parameter can have several. */
  id: string;
  label: string;
  /** The address of the listing without this filter. */
  href: string;
  /** The change that removes this filter. */
  removal: Partial<Filters>;
}

/** The active filters of a listing, in the order of the filter panel. */
export function activeFilters({ basePath, facets }: Listing, filters: Filters): ActiveFilter[] {
  function active(id: string, label: string, removal: Partial<Filters>): ActiveFilter {
    return { id, label, href: listingHref(basePath, { ...filters, ...removal }), removal };
  }
  const categoryNames = new Map(facets.categories.map(({ value, name }) => [value, name]));
  return [
    ...(filters.query === "" ? [] : [active("q", `"${filters.query}"`, { query: "" })]),
    ...(filters.maxPrice === null ? [] : [active("max", `Up to ${wholePrice(filters.maxPrice, facets.priceFormat)}`, { maxPrice: null })]),
    ...(filters.minRating === null ? [] : [active("rating", ratingLabel(filters.minRating), { minRating: null })]),
    ...filters.categories.map((slug) =>
      active(`category ${slug}`, categoryNames.get(slug) ?? slug, { categories: toggled(filters.categories, slug) }),
    ),
    ...filters.brands.map((brand) => active(`brand ${brand}`, brand, { brands: toggled(filters.brands, brand) })),
    ...(hasTag(filters) ? [active("tag", `Tagged "${filters.tag}"`, { tag: "" })] : []),
    ...(filters.inStock ? [active("stock", "In stock only", { inStock: false })] : []),
  ];
}

/** How many filters are active. The sort order is not a filter. */
export function activeFilterCount(filters: Filters): number {
  return (
    (filters.query.trim() === "" ? 0 : 1) +
    (filters.maxPrice === null ? 0 : 1) +
    (filters.minRating === null ? 0 : 1) +
    filters.categories.length +
    filters.brands.length +
    (hasTag(filters) ? 1 : 0) +
    (filters.inStock ? 1 : 0)
  );
}

function ratingLabel(stars: number): string {
  return stars === 5 ? "5 stars" : stars === 1 ? "1 star and up" : `${stars} stars and up`;
}
