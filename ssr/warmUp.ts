import type { CategoryCard, Content, Page, Section } from "../client/contract.gen";
import { listing, productCard, productDetail } from "../client/test/fixtures";

// Runs once, after the bundle and before a snapshot of the isolate is taken: the functions that these pages call are
// compiled in it. What only other pages call is compiled when they come.

declare const renderPage: (json: string) => string;
declare const forgetMarkup: () => void;

const LISTED = 15;
/** The markup of what repeats is noted, then remembered, then used. */
const ROUNDS = 3;

const categories: CategoryCard[] = ["beauty", "furniture", "home-decoration", "laptops", "motorcycle", "tops"].map(
  (slug, tint) => ({ slug, name: slug, thumbnail: tint === 0 ? null : `/${slug}.webp`, count: tint, tint }),
);
const cards = Array.from({ length: LISTED }, (_, id) =>
  productCard({ id, stock: id, rating: id / 3, thumbnail: id === 0 ? null : `/${id}.webp`, ...(id === 1 && { price: { current: "$9.99", original: null, percentOff: null } }) }),
);
const section: Section = { products: cards.slice(0, 4), failed: false };
const filters = { ...listing().filters, query: "oak", maxPrice: 90, minRating: 3, inStock: true, sort: "price-asc" } as const;
const figures = { products: LISTED, lowestPrice: "$9.99", deepestDiscount: 20 };

/** At least one page of every kind. */
const contents: { readonly [Kind in Content["kind"]]: readonly Extract<Content, { kind: Kind }>[] } = {
  home: [{ kind: "home", categories, featured: section, bestSellers: section, newArrivals: section }],
  categories: [{ kind: "categories", query: "", categories, failed: false }],
  brands: [{ kind: "brands", brands: [{ name: "Halm", count: 2, href: "/products?brand=Halm" }], failed: false }],
  listing: [
    { kind: "listing", ...listing({ products: cards, total: 3 * LISTED, page: 2, pageCount: 3, figures }) },
    { kind: "listing", ...listing({ products: cards, source: { type: "category", slug: "furniture" }, basePath: "/category/furniture", tint: 1, filters }) },
    {
      kind: "listing",
      ...listing({ products: [], source: { type: "search", text: "oka" }, basePath: "/search/oka" }),
      suggestions: { words: ["oak"], categories, popular: cards.slice(0, 4) },
    },
  ],
  product: [
    { kind: "product", product: productDetail(), failed: false, related: cards.slice(0, 4) },
    { kind: "product", product: null, failed: false, related: [] },
  ],
  offline: [{ kind: "offline", stored: [{ href: "/", title: "Home" }] }],
  error: [{ kind: "error", message: "Not Found" }],
};

function page(content: Content): Page {
  return { path: "/", canonical: "/", status: 200, title: "Warm-up", robots: "noindex", categories, content };
}

for (let round = 0; round < ROUNDS; round += 1) {
  for (const content of Object.values(contents).flat()) {
    if (renderPage(JSON.stringify(page(content))) === "") throw new Error(`The page of kind ${content.kind} is empty.`);
  }
}
forgetMarkup();
