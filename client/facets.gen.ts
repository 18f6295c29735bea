// Generated from host/facets/table.rs; never edited.

/** The filters of a listing, in the order of the query string. */
export const FACETS = [
  { parameter: "q", kind: "text" },
  { parameter: "min", kind: "from" },
  { parameter: "max", kind: "highest" },
  { parameter: "rating", kind: "lowest" },
  { parameter: "category", kind: "choice", legend: "Categories", every: "/categories" as "/categories" | undefined, slugs: true },
  { parameter: "brand", kind: "choice", legend: "Brands", every: "/brands" as "/brands" | undefined, slugs: false },
  { parameter: "tag", kind: "tag" },
  { parameter: "stock", kind: "flag", legend: "Availability", label: "In stock only" },
] as const;
