import type { Facet, Facets, Listing, PriceFacets, ProductCard, ProductDetail } from "../contract.gen";
import { FACETS } from "../facets.gen";
import { NO_FILTERS } from "../navigation/filterUrl";
import { EXAMPLE_PRODUCT } from "./product.gen";

// Complete, ordinary data for tests. A test passes only the part that it is about.

export function productCard(part: Partial<ProductCard> = {}): ProductCard {
  return {
    id: "1",
    title: "Tall Oak Lamp",
    brand: "Halm",
    thumbnail: "/art/lamp.svg",
    tint: 3,
    second: "/art/lamp-2.svg",
    price: { current: "$40.00", original: "$50", percentOff: 20 },
    rating: 4.4,
    availability: { text: "In Stock" },
    ...part,
  };
}

export function productDetail(part: Partial<ProductDetail> = {}): ProductDetail {
  return { ...EXAMPLE_PRODUCT, ...part };
}

export const PRICES: PriceFacets = {
  ceiling: 120,
  stops: Array.from({ length: 13 }, (_, index) => index * 10),
  format: { before: "$", separator: ",", after: "" },
};

export const BRANDS: Facet[] = Array.from({ length: 10 }, (_, index) => ({ value: `Brand ${index}`, name: `Brand ${index}`, count: index, selected: false }));

/** Every flag of the table would leave two products. */
const FLAGS: Facets = Object.fromEntries(FACETS.filter(({ kind }) => kind === "flag").map(({ parameter }) => [parameter, 2]));

export function listing(part: Partial<Listing> = {}): Listing {
  const products = part.products ?? [productCard(), productCard({ id: "2", title: "Low Oak Stool", brand: null })];
  return {
    source: { type: "all" },
    heading: "All Products",
    basePath: "/products",
    products,
    total: products.length,
    page: 1,
    pageCount: 1,
    filters: NO_FILTERS,
    facets: {
      max: PRICES,
      rating: { steps: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: 6 - stars, selected: false })), any: 5 },
      category: { choices: [{ value: "home-decoration", name: "Home Decoration", count: 2, selected: false }] },
      brand: { choices: BRANDS },
      ...FLAGS,
    },
    failed: false,
    ...part,
  };
}
