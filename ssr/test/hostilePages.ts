import type { AvailabilityLabel, Category, CategoryCard, Content, Choice, Filters, Page, ProductCard, ProductDetail, Section, Tag } from "../../client/contract.gen";
import { home, listing, productDetail, shop } from "../../client/test/fixtures";

// Pages of hostile and repeated data, always the same for the same seed.

const TEXTS = [
  "", " ", "Oak Lamp", "Tall Oak Lamp", "All-day lip-stick", "A & B", "&amp;", 'a "quoted" name', "it's", "a > b < c", "\n\t", "\0",
  "<script>alert(1)</script>", "</li></ul></main>", '"><img src=x onerror=alert(1)>', '<img loading="lazy">', ' loading="lazy"',
  "<ZZ-start></ZZ-start>", "<ZZ-end></ZZ-end>", "<ZZ-hint>", "</ZZ-hint>", "ZZ-start", "<ZZ-", "<!--$!-->", "<!-- -->", "_R_1_", "__proto__", "constructor",
  "\u2028\u2029", "\u{1F6CB}\uFE0F sofa", "\uD800", "\u202Eabc", "\u0130stanbul", "日本語", "x".repeat(3000), "1\n2", '["a"]', "$&$1",
];
const ADDRESSES = ["/art/lamp.svg", "/art/lamp-2.svg", "https://cdn.example/a.webp?x=1&y=2", "/a.svg?q=\"'<>", "/%3C", "//host/x.svg", ""];

export function hostilePages(seed: number, count: number): Page[] {
  const { pick, upTo, chance, several } = choices(seed);
  const text = () => pick(TEXTS);
  const address = () => (chance(0.2) ? null : pick(ADDRESSES));
  const id = () => upTo(6);
  const category = (): Category => ({ slug: `${text()}${id()}`, name: text() });
  const price = () => ({ current: chance(0.2) ? text() : "$40.00", original: chance(0.5) ? text() : null, percentOff: chance(0.5) ? upTo(99) : null, ...(chance(0.2) && { from: true }) });

  const availability = (): AvailabilityLabel => {
    const tone = pick([undefined, "few", "none"] as const);
    return { text: chance(0.2) ? text() : "3 left", ...(tone !== undefined && { tone }) };
  };

  function card(number: number): ProductCard {
    const second = pick(ADDRESSES);
    return {
      id: String(number),
      title: text(),
      brand: chance(0.3) ? null : text(),
      thumbnail: address(),
      tint: upTo(7),
      ...(chance(0.5) && { second }),
      price: price(),
      rating: chance(0.2) ? null : { value: upTo(50) / 10, text: chance(0.2) ? text() : "4.4" },
      availability: chance(0.2) ? null : availability(),
    };
  }

  function categoryCard(number: number): CategoryCard {
    return { slug: `${text()}${number}`, name: text(), thumbnail: address(), count: chance(0.3) ? null : upTo(3), tint: upTo(7) };
  }

  function facet(number: number): Choice {
    return { value: `${text()}${number}`, ...(chance(0.7) && { name: text() }), count: upTo(4) };
  }

  const cards = (): ProductCard[] => several(12, card);
  const section = (): Section => ({ products: cards(), failed: chance(0.2) });

  function filters(facets: readonly Choice[]): Filters {
    return {
      ...(chance(0.5) && { q: text() }),
      ...(chance(0.5) && { max: upTo(200) }),
      ...(chance(0.5) && { rating: 1 + upTo(4) }),
      category: facets.filter(() => chance(0.1)).map(({ value }) => value),
      brand: chance(0.8) ? [] : [text()],
      ...(chance(0.2) && { tag: text() }),
      ...(chance(0.3) && { stock: true }),
      sort: pick([undefined, "price-asc", "rating-desc"]),
      ...(chance(0.2) && { facets: "all" }),
    };
  }

  function listed(): Content {
    const usual = listing().facets;
    const [categories, brands] = [several(15, facet), several(15, facet)];
    const source = pick([{ type: "all" }, { type: "sale" }, { type: "category", slug: text() }, { type: "search", text: text() }] as const);
    return {
      kind: "listing",
      ...listing({
        source,
        heading: text(),
        basePath: pick(["/products", "/category/x", "/category/..", "/search/a%2Fb"]),
        products: cards(),
        pageCount: 1 + upTo(3),
        filters: filters(categories),
        facets: {
          ...usual,
          category: { choices: categories },
          brand: { choices: brands, ...(chance(0.3) && { hidden: upTo(3) }) },
          rating: { steps: usual.rating?.steps ?? [], any: upTo(5) },
        },
      }),
    };
  }

  function tags(): Tag[] {
    const names = [...new Set(several(3, text))];
    return names.map((name) => ({ name, ...(chance(0.5) && { href: pick(ADDRESSES) }) }));
  }

  function detail(): ProductDetail {
    const reviews = several(4, () => ({ reviewerName: text(), rating: 1 + upTo(4), ratingText: text(), date: text(), dateText: text(), comment: text() }));
    const value = () => ({ name: text(), ...(chance(0.8) && { variant: text() }), ...(chance(0.3) && { note: availability() }), ...(chance(0.3) && { colour: text() }) });
    const options = several(3, () => ({ name: text(), values: several(4, value), ...(chance(0.3) && { isLong: true }) }));
    return productDetail({ id: String(id()), title: text(), category: chance(0.2) ? null : category(), tags: tags(), images: several(3, () => pick(ADDRESSES)), reviews, options });
  }

  function content(): Content {
    switch (upTo(6)) {
      case 0:
        return { kind: "home", ...home({ categories: several(6, categoryCard), featured: section(), bestSellers: section(), newArrivals: section() }) };
      case 1:
        return { kind: "categories", query: "", categories: several(9, categoryCard), failed: chance(0.1) };
      case 2:
        return { kind: "product", product: chance(0.1) ? null : detail(), failed: false, related: cards() };
      case 3:
        return { kind: "error", message: text() };
      case 4:
        return { kind: "brands", brands: several(5, (number) => ({ name: text(), count: number, href: `/products?brand=${number}` })), failed: false };
      default:
        return listed();
    }
  }

  const menus = [[], several(5, category), several(5, category)];
  return several(count, (): Page => {
    const path = pick(["/", "/products?page=2", "/deals", "/DEALS/x", "/brands", "/brandsx", "/categories", "/search/a", "/product/1", "/no/such"]);
    return { path, canonical: path, status: 200, shop: shop({ name: pick(["Vitrine", text()]) }), title: text(), robots: "noindex", categories: pick(menus), ...(chance(0.3) && { categoryTotal: upTo(2) }), content: content() };
  }, count);
}

/** Random choices by Mulberry32, a generator of pseudo-random numbers. */
function choices(seed: number) {
  let state = seed;
  function random(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  return {
    upTo,
    chance: (share: number) => random() < share,
    pick: <T>(values: readonly T[]): T => values[upTo(values.length - 1)] as T,
    several: <T>(most: number, make: (number: number) => T, least = 0): T[] =>
      Array.from({ length: least + upTo(most - least) }, (_, number) => make(number)),
  };
}
