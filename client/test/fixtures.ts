import type { Choice, Facets, Home, Listing, PriceFacets, ProductCard, ProductDetail, Rating, Section, Shop, WholePrice } from "../contract.gen";
import { FACETS } from "../facets.gen";
import { NO_FILTERS } from "../navigation/filterUrl";
import { EXAMPLE_PRODUCT } from "./product.gen";

// Complete, ordinary data for tests. A test passes only the part that it is about.

export function shop(part: Partial<Shop> = {}): Shop {
  return {
    name: "Vitrine",
    language: "en",
    promises: [
      { icon: "truck", text: "Free shipping", detail: " on orders", end: " over $50" },
      { icon: "headset", text: "24/7 support" },
      { icon: "undo-2", text: "30-day returns" },
    ],
    notes: ["Free shipping on orders over $50", "Returns within 30 days"],
    newsletter: { title: "First look at what is new", invitation: "Join 50,000+ subscribers. Enter your email address:" },
    closing: "A sample shop.",
    sale: "Summer Sale",
    ...part,
  };
}

export function home(part: Partial<Home> = {}): Home {
  const section: Section = { products: [], failed: false };
  return {
    banner: { occasion: "Summer Sale", title: "Up to 50% off", text: "Sunny days.", tag: ["50%", "OFF"] },
    figures: [{ figure: "1M+", meaning: "Happy customers" }, { figure: "50K+", meaning: "Products" }, { figure: "24/7", meaning: "Support" }],
    story: { title: "Only looking?", text: "Please do.", link: "Stroll past every window" },
    categories: [],
    featured: section,
    bestSellers: section,
    newArrivals: section,
    ...part,
  };
}

/** Whole prices as the host writes them. */
export function dollars(...prices: number[]): WholePrice[] {
  return prices.map((value) => ({ value, text: `$${String(value).replace(/\B(?=(\d{3})+$)/g, ",")}` }));
}

export function rated(value: number): Rating {
  return { value, text: value.toFixed(1) };
}

export function productCard(part: Partial<ProductCard> = {}): ProductCard {
  return {
    id: "1",
    title: "Tall Oak Lamp",
    brand: "Halm",
    thumbnail: "/art/lamp.svg",
    tint: 3,
    second: "/art/lamp-2.svg",
    price: { current: "$40.00", original: "$50", percentOff: 20 },
    rating: rated(4.4),
    availability: { text: "In Stock" },
    ...part,
  };
}

export function productDetail(part: Partial<ProductDetail> = {}): ProductDetail {
  return { ...EXAMPLE_PRODUCT, ...part };
}

export const PRICES: PriceFacets = {
  ceiling: 120,
  stops: dollars(...Array.from({ length: 13 }, (_, index) => index * 10)),
};

export const BRANDS: Choice[] = Array.from({ length: 10 }, (_, index) => ({ value: `Brand ${index}`, count: index }));

/** Every flag of the table would leave two products. */
const FLAGS: Facets = Object.fromEntries(FACETS.filter(({ kind }) => kind === "flag").map(({ parameter }) => [parameter, 2]));

/** One choice of every group of the table. */
const CHOICES: Facets = Object.fromEntries(
  FACETS.filter(({ kind }) => kind === "choice").map(({ parameter }) => [parameter, { choices: [{ value: "a", name: "A", count: 2 }] }]),
);

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
      ...CHOICES,
      max: PRICES,
      rating: { steps: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: 6 - stars })), any: 5 },
      category: { choices: [{ value: "home-decoration", name: "Home Decoration", count: 2 }] },
      brand: { choices: BRANDS },
      ...FLAGS,
    },
    failed: false,
    ...part,
  };
}
