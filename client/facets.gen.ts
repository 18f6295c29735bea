// Generated from host/facets/table.rs; never edited.

import { Key } from "./texts/texts.gen";

/** The filters of a listing, in the order of the query string. */
export const FACETS = [
  { parameter: "q", kind: "text" },
  { parameter: "min", kind: "from" },
  { parameter: "max", kind: "highest" },
  { parameter: "rating", kind: "lowest" },
  { parameter: "category", kind: "choice", legend: Key.categories, every: ["/categories", Key.allCategoriesOfShop] as readonly ["/categories", Key.allCategoriesOfShop] | undefined, slugs: true, atFirst: 100, isScale: false },
  { parameter: "brand", kind: "choice", legend: Key.brands, every: ["/brands", Key.allBrandsOfShop] as readonly ["/brands", Key.allBrandsOfShop] | undefined, slugs: false, atFirst: 100, isScale: false },
  { parameter: "size", kind: "choice", legend: Key.size, every: undefined, slugs: false, atFirst: 40, isScale: true },
  { parameter: "color", kind: "choice", legend: Key.colour, every: undefined, slugs: false, atFirst: 40, isScale: true },
  { parameter: "tag", kind: "tag" },
  { parameter: "stock", kind: "flag", legend: Key.availability, label: Key.inStockOnly },
] as const;
