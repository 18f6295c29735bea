import { categoryName } from "./products";

export interface Route {
  path: string;
  status: 200 | 404;
  /** The visible heading; the product's own title where it is left out. */
  heading?: string;
  /** Where it differs from `{heading} | Vitrine`. */
  title?: string;
  /** It shows product cards. */
  cards?: boolean;
}

const SEARCH = "watch";

/** Every kind of page. */
export const ROUTES: readonly Route[] = [
  { path: "/", status: 200, heading: "Summer Sale Up to 50% off", title: "Home", cards: true },
  { path: "/categories", status: 200, heading: "Categories" },
  { path: "/categories?q=mens", status: 200, heading: "Categories" },
  { path: "/brands", status: 200, heading: "Brands" },
  { path: "/products", status: 200, heading: "All Products", cards: true },
  { path: "/products?rating=4&sort=price-asc&page=2", status: 200, heading: "All Products", cards: true },
  { path: "/sale", status: 200, heading: "Sale", cards: true },
  { path: "/new-arrivals", status: 200, heading: "New Arrivals", cards: true },
  { path: "/best-sellers", status: 200, heading: "Best Sellers", cards: true },
  { path: "/deals", status: 200, heading: "Deals", cards: true },
  { path: "/category/mens-shirts", status: 200, heading: categoryName("mens-shirts"), cards: true },
  { path: `/search/${SEARCH}`, status: 200, heading: `Search Results for "${SEARCH}"`, cards: true },
  { path: "/search/no%20such%20thing", status: 200, heading: 'Search Results for "no such thing"' },
  { path: "/offline", status: 200, heading: "No connection to the shop" },
  { path: "/product/1", status: 200 },
  { path: "/product/999999", status: 404, heading: "Product not found" },
  { path: "/category/no-such-category", status: 404, heading: "No Such Category" },
  {
    path: "/no/such/page",
    status: 404,
    heading: "Oops! Sorry, an unexpected error has occurred.",
    title: "Not Found | Vitrine",
  },
];

/** One page of each template; the listing has filters and pages, and the search has no results. */
export const TEMPLATES = [
  "/",
  "/categories",
  "/brands",
  "/products?rating=4&sort=price-asc&page=2",
  "/search/no%20such%20thing",
  "/product/1",
  "/product/999999",
  "/no/such/page",
];
