import type { Listing, ProductCard, ProductDetail } from "./contract.gen";
import { NO_FILTERS } from "./filterUrl";

/** Pages' parts for tests, whole and unremarkable; a test names only what it is about. */

export function productCard(part: Partial<ProductCard> = {}): ProductCard {
  return {
    id: 1,
    title: "Tall Oak Lamp",
    brand: "Halm",
    thumbnail: "/art/lamp.svg",
    price: { current: "$40.00", original: "$50", percentOff: 20 },
    rating: 4.4,
    stock: 12,
    ...part,
  };
}

export function productDetail(part: Partial<ProductDetail> = {}): ProductDetail {
  return {
    id: 1,
    title: "Tall Oak Lamp",
    description: "A lamp of solid oak with a linen shade.",
    category: { slug: "home-decoration", name: "Home Decoration" },
    brand: "Halm",
    sku: "HOM-HAL-001",
    tags: ["oak", "50% wool"],
    price: { current: "$40.00", original: "$49.99", percentOff: 20 },
    rating: 4.4,
    stock: 12,
    minimumOrderQuantity: 1,
    dimensions: "24 × 60 × 24 cm",
    weight: "3 kg",
    warranty: "2 year warranty",
    shipping: "Ships in 1 week",
    returns: "30 days return policy",
    images: ["/art/lamp.svg", "/art/lamp-2.svg", "/art/lamp-3.svg"],
    thumbnail: "/art/lamp.svg",
    reviews: [
      { reviewerName: "Ada", rating: 3, date: "2025-03-01T10:00:00.000Z", dateText: "March 1, 2025", comment: "Fine." },
      { reviewerName: "Bo", rating: 5, date: "2024-12-24T10:00:00.000Z", dateText: "December 24, 2024", comment: "Lovely." },
    ],
    ...part,
  };
}

export function listing(part: Partial<Listing> = {}): Listing {
  const products = part.products ?? [productCard(), productCard({ id: 2, title: "Low Oak Stool", brand: null })];
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
      priceCeiling: 120,
      ratings: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: 6 - stars, selected: false })),
      categories: [{ value: "home-decoration", name: "Home Decoration", count: 2, selected: false }],
      brands: Array.from({ length: 10 }, (_, index) => ({ value: `Brand ${index}`, name: `Brand ${index}`, count: index, selected: false })),
      inStock: 2,
    },
    failed: false,
    ...part,
  };
}
