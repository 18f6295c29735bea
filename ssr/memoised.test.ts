// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Page, ProductCard } from "../client/contract.gen";
import { listing, productCard } from "../client/test/fixtures";
import { hostilePages } from "./test/hostilePages";
import { buildServerBundles } from "./test/serverBundles";

const load = buildServerBundles();
const plain = load("plain");

/** Whether a memo gives the same bytes as the plain components; the first page where it does not. */
function firstDifference(render: (json: string) => string, pages: readonly Page[]): string | undefined {
  return pages.map((page) => JSON.stringify(page)).find((json) => render(json) !== plain.renderPage(json));
}

function pageOf(products: ProductCard[]): Page {
  const at = "/products";
  return { path: at, canonical: at, status: 200, title: "", robots: "", categories: [], content: { kind: "listing", ...listing({ products }) } };
}

const FULL = Array.from({ length: 30 }, (_, id) => productCard({ id }));

describe("the server bundle with remembered markup", { timeout: 120_000 }, () => {
  it("gives the bytes of the plain components, cold and warm, for hostile data", () => {
    const { renderPage } = load("memo");
    for (const seed of [1, 2]) {
      const pages = hostilePages(seed, 80);
      expect(firstDifference(renderPage, pages)).toBeUndefined();
      expect(firstDifference(renderPage, pages.toReversed())).toBeUndefined();
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
    const changes: Partial<ProductCard>[] = [
      {}, { title: "Other" }, { brand: "Other" }, { brand: null }, { thumbnail: "/other.svg" }, { thumbnail: null }, { tint: 5 }, { stock: 3 }, { stock: 0 },
      { rating: 1.2 }, { price: { current: "$1", original: null, percentOff: null } }, { id: 99 },
    ];
    for (const change of changes) {
      expect(firstDifference(renderPage, [pageOf(FULL.map((card, at) => (at === 20 ? { ...card, ...change } : card)))])).toBeUndefined();
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

  it("leaves no mark in a page", () => {
    const { renderPage } = load("memo");
    const json = JSON.stringify(pageOf(FULL));
    expect(renderPage(json)).not.toContain("memo-");
    expect(renderPage(json)).not.toContain("memo-");
  });
});

/** What is rendered inside of memoised components: their modules, and those that these import. */
function memoisedSources(): string[] {
  const replaced = readdirSync("ssr/replacements", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
  const sources = new Map<string, string>();
  const queue = replaced.filter((file) => !file.startsWith("navigation")).map((file) => path.join("client", file));
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
