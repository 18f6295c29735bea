import type { CategoryCard, Content, Filters, Section } from "../contract.gen";
import { home, listing, productCard, productDetail, rated } from "./fixtures";

const LISTED = 15;

export const CATEGORIES: CategoryCard[] = ["beauty", "furniture", "home-decoration", "laptops", "motorcycle", "tops"].map(
  (slug, tint) => ({ slug, name: slug, thumbnail: tint === 0 ? null : `/${slug}.webp`, count: tint, tint }),
);
const cards = Array.from({ length: LISTED }, (_, id) =>
  productCard({ id: String(id), availability: id === 14 ? null : { text: `${id} left`, tone: id === 0 ? "none" : "few" }, rating: rated(id / 3), thumbnail: id === 0 ? null : `/${id}.webp`, ...(id === 1 && { price: { current: "$9.99", original: null, percentOff: null } }) }),
);
const section: Section = { products: cards.slice(0, 4), failed: false };
const filters: Filters = { ...listing().filters, q: "oak", max: 90, rating: 3, brand: ["Brand 1", "Halm"], stock: true, sort: "price-asc" };
const figures = { story: "5 brands, from $9.99", deepestDiscount: 20 };

const OF_EACH_KIND: { readonly [Kind in Content["kind"]]: readonly Extract<Content, { kind: Kind }>[] } = {
  home: [{ kind: "home", ...home({ categories: CATEGORIES, featured: section, bestSellers: section, newArrivals: section }) }],
  categories: [{ kind: "categories", query: "", categories: CATEGORIES, failed: false }],
  brands: [{ kind: "brands", brands: [{ name: "Halm", count: 2, href: "/products?brand=Halm" }], failed: false }],
  listing: [
    { kind: "listing", ...listing({ products: cards, total: 3 * LISTED, page: 2, pageCount: 3, figures, quick: [{ label: "Up to $50", adds: { max: 50 } }, { label: "Halm", adds: { brand: ["Halm"] } }] }) },
    { kind: "listing", ...listing({ products: cards, source: { type: "category", slug: "furniture" }, basePath: "/category/furniture", tint: 1, filters }) },
    {
      kind: "listing",
      ...listing({ products: [], source: { type: "search", text: "oka" }, basePath: "/search/oka" }),
      suggestions: { named: [{ name: "Oak", count: 3, href: "/products?brand=Oak" }], words: ["oak"], categories: CATEGORIES, popular: cards.slice(0, 4) },
    },
  ],
  product: [
    { kind: "product", product: productDetail(), failed: false, related: cards.slice(0, 4) },
    { kind: "product", product: null, failed: false, related: [] },
  ],
  saved: [{ kind: "saved", title: "Saved", introduction: "Kept here.", needsScript: "It needs JavaScript.", nothing: "Nothing.", gone: "Gone" }],
  textPage: [
    {
      kind: "textPage",
      title: "Terms",
      text: [
        { name: "h2", content: ["Delivery"] },
        { name: "p", content: ["See ", { name: "a", href: "/sale", content: [{ name: "strong", content: ["the sale"] }] }, { name: "br" }, "or ask."] },
        { name: "h2", id: "text-costs", content: ["Costs"] },
        { name: "p", content: ["Note", { name: "sup", content: [{ name: "a", href: "#note-1", content: ["1"] }] }, { name: "img", src: "/images/a-1.png#40x30c", alt: "A" }] },
        { name: "table", content: [{ name: "tbody", content: [{ name: "tr", content: [{ name: "td", content: ["1"] }] }] }] },
      ],
    },
  ],
  offline: [{ kind: "offline", stored: [{ href: "/", title: "Home" }] }],
  error: [{ kind: "error", message: "Not Found" }],
};

/** At least one page of every kind. */
export const CONTENTS: readonly Content[] = Object.values(OF_EACH_KIND).flat();
