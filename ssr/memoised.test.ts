// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Banner, CategoryCard, Content, Choice, Facets, Home, Listing, Page, Price, PriceFacets, ProductCard, ProductDetail, RatingFacet, Review, Shop, ShopPromise } from "../client/contract.gen";
import { FACETS } from "../client/facets.gen";
import { BRANDS, dollars, home, listing, PRICES, productCard, productDetail, rated, shop } from "../client/test/fixtures";
import { hostilePages } from "./test/hostilePages";
import { buildServerBundles } from "./test/serverBundles";

const load = buildServerBundles();
const plain = load("plain");

/** The first page for which `render` gives other bytes than the plain components, as JSON. */
function firstDifference(render: (json: string) => string, pages: readonly Page[]): string | undefined {
  return pages.map((page) => JSON.stringify(page)).find((json) => render(json) !== plain.renderPage(json));
}

function page(content: Content): Page {
  const at = "/products";
  return { path: at, canonical: at, status: 200, shop: shop(), title: "", robots: "", categories: [], content };
}

function pageOf(products: ProductCard[]): Page {
  return page({ kind: "listing", ...listing({ products }) });
}

/**
 * Each change between unchanged states. A state's markup is remembered the second time that it occurs, and used the
 * third time; a memo that overlooks the change would use it for the changed state, too.
 */
function alternating<State>(changes: readonly Partial<State>[]): Partial<State>[] {
  return changes.flatMap((change) => [{}, {}, {}, change, change, change]);
}

/** At least one change of each field, which the type checker asks for. */
type EachField<State> = { readonly [Field in keyof State]-?: readonly Partial<State>[] };

function all<State>(changes: EachField<State>): Partial<State>[] {
  return Object.values<readonly Partial<State>[]>(changes).flat();
}

const PRICE = productCard().price;
const FULL = Array.from({ length: 30 }, (_, id) => productCard({ id: String(id) }));

describe("the server bundle with remembered markup", { timeout: 120_000 }, () => {
  it("gives the bytes of the plain components, cold and warm, for hostile data", () => {
    const { renderPage } = load("memo");
    for (const seed of [1, 2]) {
      const pages = hostilePages(seed, 80);
      for (let round = 0; round < 2; round += 1) {
        expect(firstDifference(renderPage, pages)).toBeUndefined();
        expect(firstDifference(renderPage, pages.toReversed())).toBeUndefined();
      }
    }
  });

  it("gives them also while it evicts", () => {
    const { renderPage } = load("memo", 60_000);
    const pages = hostilePages(4, 80);
    for (let round = 0; round < 2; round += 1) expect(firstDifference(renderPage, pages)).toBeUndefined();
  });

  it("gives them after a page that could not be rendered, and after it was told to forget", () => {
    const { renderPage, forgetMarkup } = load("memo");
    const broken = { ...pageOf(FULL), content: { kind: "listing", ...listing({ products: FULL }), filters: null } };
    expect(() => renderPage(JSON.stringify(broken))).toThrow();
    const pages = hostilePages(5, 40);
    expect(firstDifference(renderPage, pages)).toBeUndefined();
    forgetMarkup();
    expect(firstDifference(renderPage, pages)).toBeUndefined();
  });

  it("follows every field of a card", () => {
    const { renderPage } = load("memo");
    const prices = all<Price>({ current: [{ current: "$2" }], original: [{ original: "$2" }, { original: null }], percentOff: [{ percentOff: 2 }, { percentOff: null }], from: [{ from: true }], unit: [{ unit: "$3.98 / kg" }], originalNote: [{ originalNote: "Lowest" }] });
    const changes = all<ProductCard>({
      id: [{ id: "99" }],
      title: [{ title: "Other" }],
      brand: [{ brand: "Other" }, { brand: null }],
      thumbnail: [{ thumbnail: "/other.svg" }, { thumbnail: null }],
      tint: [{ tint: 5 }],
      second: [{ second: "/second.svg" }],
      price: prices.map((price) => ({ price: { ...PRICE, ...price } })),
      rating: [{ rating: rated(1.2) }, { rating: { value: 1.2, text: "1,2" } }, { rating: null }],
      availability: [{ availability: { text: "3 left", tone: "few" } }, { availability: { text: "3 left", tone: "none" } }, { availability: { text: "3 left" } }, { availability: null }],
      noCart: [{ noCart: true }],
      number: [{ number: "A-1" }],
      facts: [{ facts: "2 kg" }],
      noHeart: [{ noHeart: true }],
      colours: [{ colours: ["#ff0000", "#0000ff"] }, { colours: ["#ff0000", "#00ff00"] }],
    });
    for (const changed of [1, 20]) {
      for (const change of alternating(changes)) {
        expect(firstDifference(renderPage, [pageOf(FULL.map((card, at) => (at === changed ? { ...card, ...change } : card)))])).toBeUndefined();
      }
    }
  });

  it("follows the categories of the header", () => {
    const { renderPage } = load("memo");
    const tops = { slug: "tops", name: "Tops" };
    const menus: Partial<Page>[] = [
      { categories: [{ ...tops, name: "Shirts" }] }, { categories: [{ ...tops, slug: "shirts" }] },
      { categories: [tops, { slug: "bags", name: "Bags" }] }, { categoryTotal: 30 }, { categories: [] },
      { empty: ["brands"] }, { empty: ["brands", "sale"] }, { categories: [], empty: ["categories"] },
    ];
    for (const menu of alternating(menus)) {
      expect(firstDifference(renderPage, [{ ...pageOf(FULL), categories: [tops], ...menu }])).toBeUndefined();
    }
  });

  it("follows all that the shop says of itself", () => {
    const { renderPage } = load("memo");
    const promise: ShopPromise = { icon: "truck", text: "Fast", detail: " and free", end: "!" };
    const promises = all<ShopPromise>({ icon: [{ icon: "heart" }], text: [{ text: "Slow" }], detail: [{ detail: " or not" }], end: [{ end: "?" }] });
    const logo = { src: "/logo/1.svg", width: 30, height: 30 };
    const changes = all<Shop>({
      name: [{ name: "Other" }],
      logo: [{ logo }, { logo: { ...logo, src: "/logo/2.svg" } }, { logo: { ...logo, width: 40 } }, { logo: { ...logo, hasName: true } }, { logo: { ...logo, dark: "/logo/3.svg" } }],
      language: [{ language: "de" }],
      links: [{ links: [] }, { links: [{ text: "New", href: "/new-arrivals" }] }, { links: [{ text: "Other", href: "https://other.example" }] }],
      promises: [{ promises: [] }, { promises: [promise, promise] }, ...promises.map((change) => ({ promises: [{ ...promise, ...change }] }))],
      notes: [{ notes: [] }, { notes: ["Other"] }],
      newsletter: [{ newsletter: { title: "Other", invitation: "Join" } }, { newsletter: { title: "News", invitation: "Other" } }, { newsletter: { title: "News", invitation: "Join", href: "/sale" } }],
      contact: [{ contact: [{ text: "Other", href: "/" }] }],
      legal: [{ legal: [{ text: "Other", href: "/" }] }],
      closing: [{ closing: "Other" }],
      sale: [{ sale: "Other" }],
      noCart: [{ noCart: true }],
      own: [{ own: true }],
      saves: [{ own: true, saves: true }],
    });
    const base = shop({ promises: [promise], newsletter: { title: "News", invitation: "Join" } });
    const { name, language, sale } = base;
    const bare: Shop = { name, language, sale, promises: [], notes: [] };
    for (const changed of [...alternating(changes).map((change) => ({ ...base, ...change })), bare, bare, bare, base]) {
      expect(firstDifference(renderPage, [{ ...pageOf(FULL), shop: changed }])).toBeUndefined();
    }
  });

  it("follows what the home page says of the shop", () => {
    const { renderPage } = load("memo");
    const banner = { occasion: "Sale", title: "Half off", text: "Now.", tag: ["50%", "OFF"] } satisfies Banner;
    const story = { title: "Look", text: "Long ago.", link: "Stroll" };
    const untagged: Banner = { occasion: "Sale", title: "Half off", text: "Now." };
    const changes: Partial<Home>[] = [
      { banner: { ...banner, occasion: "Other" } }, { banner: { ...banner, title: "Other" } }, { banner: { ...banner, text: "Other" } },
      { banner: { ...banner, tag: ["5%", "OFF"] } }, { banner: { ...banner, tag: ["50%", "LESS"] } }, { banner: untagged },
      { banner: { ...untagged, links: [] } }, { banner: { ...untagged, links: [{ text: "New", href: "/new-arrivals" }] } },
      { banner: { ...untagged, text: "" } },
      { figures: [{ figure: "2", meaning: "Doors" }] }, { figures: [{ figure: "1", meaning: "Shops" }] },
      { story: { ...story, title: "Other" } }, { story: { ...story, text: "Other" } }, { story: { ...story, link: "Other" } },
    ];
    const base = home({ banner, story, figures: [{ figure: "1", meaning: "Door" }] });
    for (const change of alternating(changes)) {
      expect(firstDifference(renderPage, [page({ kind: "home", ...base, ...change })])).toBeUndefined();
    }
  });

  it("follows every field of a category", () => {
    const { renderPage } = load("memo");
    const tops = { slug: "tops", name: "Tops", thumbnail: "/tops.webp", count: 3, tint: 1 };
    const changes = all<CategoryCard>({
      slug: [{ slug: "shirts" }],
      name: [{ name: "Shirts" }],
      thumbnail: [{ thumbnail: "/shirts.webp" }, { thumbnail: null }],
      count: [{ count: 4 }, { count: null }],
      tint: [{ tint: 2 }],
    });
    const products = { products: FULL.slice(0, 4), failed: false };
    for (const change of alternating(changes)) {
      const categories = [{ ...tops, ...change }, { ...tops, slug: "bags", name: "Bags" }];
      const start: Content = { kind: "home", ...home({ categories, featured: products, bestSellers: products, newArrivals: products }) };
      expect(firstDifference(renderPage, [page(start), page({ kind: "categories", query: "", categories, failed: false })])).toBeUndefined();
    }
  });

  it("follows every choice of a filter", () => {
    const { renderPage } = load("memo");
    const { facets } = listing();
    const prices = all<PriceFacets>({
      ceiling: [{ ceiling: 121 }, { ceiling: 0 }],
      stops: [{ stops: dollars(0, 120) }, { stops: dollars(0, 121) }, { stops: [{ value: 0, text: "0 €" }, { value: 121, text: "121 €" }] }],
      chosen: [{ chosen: { value: 120, text: "120 €" } }, { chosen: { value: 120, text: "€120" } }],
    });
    const stars: RatingFacet = { stars: 5, count: 1 };
    const ratings = all<RatingFacet>({ stars: [{ stars: 2 }], count: [{ count: 99 }] });
    const choice: Choice = { value: "own", name: "Own", count: 2 };
    const choices = all<Choice>({ value: [{ value: "other" }], name: [{ name: "Other" }], count: [{ count: 99 }] });
    const changes = FACETS.flatMap(({ kind, parameter }): Facets[] => {
      switch (kind) {
        case "highest":
          return prices.map((change) => ({ [parameter]: { ...PRICES, ...change } }));
        case "lowest":
          return [[], ...ratings.map((change) => [{ ...stars, ...change }])].flatMap((steps) => [1, 5].map((any) => ({ [parameter]: { steps, any } })));
        case "choice":
          return [{ choices: [] }, { choices: [choice], hidden: 2 }, ...choices.map((change) => ({ choices: [{ ...choice, ...change }] }))].map((group) => ({ [parameter]: group }));
        case "flag":
          return [{ [parameter]: 1 }];
        case "text":
        case "from":
        case "tag":
          return [];
      }
    });
    for (const change of alternating(changes)) {
      const changed = listing({ products: FULL, facets: { ...facets, category: { choices: [choice] }, brand: { choices: [choice] }, rating: { steps: [stars], any: 5 }, ...change } });
      expect(firstDifference(renderPage, [page({ kind: "listing", ...changed })])).toBeUndefined();
    }
  });

  it("follows every field of a product", () => {
    const { renderPage } = load("memo");
    const review = { reviewerName: "Ann", rating: 4, ratingText: "4.0", date: "2025-01-02T00:00:00Z", dateText: "January 2, 2025", comment: "Fine." };
    const reviews = [review, { ...review, rating: 2, comment: "Not so." }];
    const otherReviews = all<Review>({
      reviewerName: [{ reviewerName: "Bea" }],
      rating: [{ rating: 1 }, { rating: 3.5 }],
      ratingText: [{ ratingText: "4,0" }],
      date: [{ date: "2024-02-03T00:00:00Z" }],
      dateText: [{ dateText: "February 3, 2024" }],
      comment: [{ comment: "Fine again." }],
    });
    const changes = all<ProductDetail>({
      noCart: [{ noCart: true }],
      id: [{ id: "99" }],
      title: [{ title: "Other" }],
      description: [{ description: "Other" }],
      category: [{ category: null }, { category: { slug: "other", name: "Other" } }],
      brand: [{ brand: null }, { brand: "Other" }],
      sku: [{ sku: "OTHER" }],
      tags: [{ tags: [] }, { tags: [{ name: "other" }] }, { tags: [{ name: "other" }, { name: "more", href: "/products?tag=more" }] }],
      price: [
        { price: { current: "$1", original: null, percentOff: null } },
        { price: { current: "$1", original: null, percentOff: null, unit: "$2 / kg" } },
        { price: { current: "$1", original: "$2", percentOff: 50, originalNote: "Lowest" } },
      ],
      rating: [{ rating: rated(1.5) }, { rating: { value: 1.5, text: "1,5" } }, { rating: null }],
      availability: [{ availability: [] }, { availability: [{ text: "Low Stock", tone: "few" }, { text: "Sold out", tone: "none" }] }, { availability: [{ text: "Low Stock" }] }],
      options: [
        { options: [{ name: "Size", values: [{ name: "S" }] }] },
        { options: [{ name: "Size", values: [{ name: "S", variant: "a", isChosen: true }, { name: "M", variant: "b" }] }] },
        { options: [{ name: "Size", values: [{ name: "S", variant: "a" }, { name: "M", variant: "c", note: { text: "Sold out", tone: "none" } }] }] },
        { options: [{ name: "Colour", values: [{ name: "Red", variant: "a", colour: "#ff0000" }, { name: "M", variant: "c", note: { text: "Not" } }] }] },
        { options: [{ name: "Size", isLong: true, values: [{ name: "S", variant: "a", isChosen: true }, { name: "M", variant: "b" }] }] },
      ],
      variant: [{ variant: "S" }],
      priceNote: [{ priceNote: { text: "incl. VAT", href: "/page/shipping" } }],
      minimumOrderQuantity: [{ minimumOrderQuantity: 7 }],
      minimumOrderTotal: [{ minimumOrderTotal: "$7" }],
      facts: [
        { facts: [] },
        { facts: [{ name: "Weight", text: "2 kg", icon: "weight" }] },
        { facts: [{ name: "Mass", text: "2 kg", icon: "weight" }] },
        { facts: [{ name: "Weight", text: "3 kg", icon: "weight" }] },
        { facts: [{ name: "Weight", text: "2 kg", icon: "ruler" }] },
      ],
      images: [{ images: [] }, { images: ["/a.webp"] }, { images: ["/a.webp", "/b.webp"] }],
      thumbnail: [{ thumbnail: null }],
      tint: [{ tint: 6 }],
      link: [{ link: { href: "https://shop.example/lamp", host: "shop.example" } }, { link: { href: "https://www.other.example/", host: "other.example" } }],
      enquiry: [{ enquiry: { text: "Ask", href: "mailto:a@shop.example?subject=Lamp" } }, { enquiry: { text: "Ask", href: "/page/contact" } }],
      reviews: [{ reviews: [] }, { reviews: null }, { reviews: [review] }, { reviews: [...reviews, review] }, ...otherReviews.map((change) => ({ reviews: [{ ...review, ...change }, review] }))],
    });
    for (const change of alternating(changes)) {
      const product = productDetail({ reviews, ...change });
      expect(firstDifference(renderPage, [page({ kind: "product", product, failed: false, related: FULL.slice(0, 4) })])).toBeUndefined();
    }
  });

  it("asks early for the pictures of the first cards, also where they were remembered without", () => {
    const { renderPage } = load("memo");
    const cards = FULL.map((card) => ({ ...card, thumbnail: `/${card.id}.svg` }));
    const hints = (html: string) => [...html.matchAll(/<link rel="preload" as="image" href="([^"]+)"/g)].map(([, href]) => href);
    renderPage(JSON.stringify(pageOf(cards)));
    const turned = JSON.stringify(pageOf(cards.toReversed()));
    expect(hints(renderPage(turned))).toEqual(["/29.svg", "/28.svg", "/27.svg", "/26.svg"]);
    expect(renderPage(turned)).toBe(plain.renderPage(turned));
  });

  it("renders each card twice, whether its picture has priority or not", () => {
    const { renderPage, evaluate } = load("memo");
    // A card splits its title.
    evaluate("globalThis.splits = 0; { const { split } = String.prototype; String.prototype.split = function (...args) { splits += this == 'Oak Lamp'; return split.apply(this, args); }; }");
    const json = JSON.stringify(pageOf(FULL.map((card) => ({ ...card, title: "Oak Lamp" }))));
    const counts = [1, 2, 3, 4].map(() => {
      renderPage(json);
      return evaluate("splits");
    });
    expect(counts).toEqual([30, 60, 60, 60]);
  });

  it("leaves no mark in a page", () => {
    const { renderPage } = load("memo");
    const json = JSON.stringify(pageOf(FULL));
    for (let time = 0; time < 4; time += 1) expect(renderPage(json)).not.toContain("ZZ-");
  });

  it("follows everything that filters, order, pages and head of a listing show", () => {
    const { renderPage } = load("memo");
    const base = listing({ products: FULL, pageCount: 9, figures: { story: "From $1" } });
    const { facets, filters } = base;
    const { rating: _, ...unrated } = facets;
    const changes: Partial<Listing>[] = [
      { basePath: "/category/tops" }, { page: 2 }, { pageCount: 3 }, { total: 2 }, { heading: "Other" }, { tint: 3 },
      { source: { type: "sale" } }, { source: { type: "category", slug: "tops" } }, { source: { type: "search", text: "a" } },
      { figures: { story: "From $2" } }, { figures: { story: "From $1", deepestDiscount: 9 } },
      { facets: { ...facets, max: { ...PRICES, stops: dollars(0, 11, 121) } } },
      ...(["price-asc", "rating-desc", undefined] as const).flatMap((sort) => [
        { filters: { ...filters, sort } },
        { filters: { ...filters, sort }, facets: { ...facets, brand: { choices: BRANDS, hidden: 7 } } },
        { filters: { ...filters, sort }, facets: { ...facets, category: { choices: BRANDS, hidden: 7 } } },
      ]),
      { filters: { ...filters, q: "oak" } }, { filters: { ...filters, max: 20 } }, { filters: { ...filters, rating: 3 } },
      { filters: { ...filters, stock: true } }, { filters: { ...filters, category: ["tops"] } }, { filters: { ...filters, brand: ["Oak"] } },
      { filters: { ...filters, tag: "other" } }, { filters: { ...filters, facets: "all" } }, { filters: { ...filters, facets: "all" }, facets: { ...facets, brand: { choices: BRANDS, hidden: 7 } } },
      { facets: { ...facets, stock: 1 } }, { facets: { ...facets, rating: { steps: [], any: 1 } } }, { facets: { ...facets, max: { ...PRICES, stops: dollars(0, 7, 90) } } },
      { facets: { ...facets, max: { ...PRICES, ceiling: 0 } } }, { facets: { ...facets, brand: { choices: [] } } }, { facets: { ...facets, category: { choices: [] } } },
      { facets: unrated },
      { products: FULL.map((card, at) => (at === 5 ? { ...card, thumbnail: "/other.svg" } : card)) },
    ];
    for (const change of alternating(changes)) {
      expect(firstDifference(renderPage, [{ ...pageOf(FULL), content: { kind: "listing", ...base, ...change } }])).toBeUndefined();
    }
  });
});

/** The sources of all that memoised components render: their modules, and the modules that these import. */
function memoisedSources(): string[] {
  const replaced = readdirSync("client", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".server.tsx"));
  const sources = new Map<string, string>();
  const queue = replaced.filter((file) => !file.startsWith("navigation")).map((file) => path.join("client", file.replace(".server", "")));
  for (const file of queue) {
    if (sources.has(file)) continue;
    const source = readFileSync(file, "utf8");
    sources.set(file, `${file}\n${source}`);
    const imported = [...source.matchAll(/from "(\.[^"]+)"/g)].map(([, name = ""]) => `${path.join(path.dirname(file), name)}.tsx`);
    queue.push(...imported.filter((name) => existsSync(name)));
  }
  return [...sources.values()];
}

describe("memoised components", () => {
  it("use no id of their place in the page, no Suspense and no resource hint", () => {
    const sources = memoisedSources();
    expect(sources.length).toBeGreaterThan(25);
    for (const source of sources) {
      expect(source).not.toMatch(/\b(?:useId|Suspense|lazy|preload|preinit|preconnect|prefetchDNS)\b(?=[(<} ,])/);
    }
  });
});
