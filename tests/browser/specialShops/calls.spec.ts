import { setTimeout } from "node:timers/promises";
import { expect, test as base } from "@playwright/test";
import { startFaultyCatalogue } from "../support/faultyCatalogue";
import type { FaultyCatalogue } from "../support/faultyCatalogue";
import { startVitrine } from "../support/server";

/** What is asked for once is remembered, and starts no shop again. */
interface Recorded {
  /** Opens a page of a shop without a memory and returns what it asked the catalogue. */
  callsOf(path: string): Promise<URL[]>;
  /** Opens a page of a shop without a copy of the catalogue again and again; returns what it has asked by then. */
  callsUntil(path: string, isEnough: (calls: URL[]) => boolean): Promise<URL[]>;
  catalogue: FaultyCatalogue;
}

const test = base.extend<object, { recorded: Recorded }>({
  recorded: [
    // eslint-disable-next-line no-empty-pattern -- Fixtures are named by this pattern.
    async ({}, provide) => {
      const api = await startVitrine("sample-catalogue");
      const catalogue = await startFaultyCatalogue(api.address, (path) => path.includes("out-of-order"));
      const known = new Map<string, Promise<URL[]>>();
      function once(path: string, ask: () => Promise<URL[]>) {
        const calls = known.get(path) ?? ask();
        known.set(path, calls);
        return calls;
      }
      async function callsOf(path: string) {
        // A shop that remembers nothing asks for each thing when it is needed.
        const shop = await startVitrine("--catalogue", catalogue.address, "--mirror", "1", "--fresh", "0");
        const before = catalogue.requests.length;
        await (await fetch(shop.address + path)).text();
        await shop.stop();
        return catalogue.requests.slice(before).map((request) => new URL(request.path, catalogue.address));
      }
      async function callsUntil(path: string, isEnough: (calls: URL[]) => boolean) {
        const before = catalogue.requests.length;
        const calls = () => catalogue.requests.slice(before).map((request) => new URL(request.path, catalogue.address));
        const shop = await startVitrine("--catalogue", catalogue.address, "--mirror", "1", "--fresh", "1");
        while (!isEnough(calls())) {
          await (await fetch(shop.address + path)).text();
          await setTimeout(200);
        }
        await shop.stop();
        return calls();
      }
      await provide({
        callsOf: (path) => once(path, () => callsOf(path)),
        callsUntil: (path, isEnough) => once(path, () => callsUntil(path, isEnough)),
        catalogue,
      });
      await catalogue.stop();
      await api.stop();
    },
    { scope: "worker" },
  ],
});

const SECTION_FIELDS = ["brand", "category", "discountPercentage", "price", "rating", "stock", "thumbnail", "title"];

function parameters({ searchParams }: URL): Record<string, string> {
  return Object.fromEntries(searchParams);
}

function selected(call: URL | undefined): string[] | undefined {
  return call?.searchParams.get("select")?.split(",").sort();
}

test("the home sections ask for 8 products each: skip 8, by rating, by id", async ({ recorded }) => {
  // A shop also asks by itself how many products there are, and whether it can open.
  const isOwn = ({ searchParams }: URL) => searchParams.get("select") === "id" || (searchParams.get("skip") === "0" && !searchParams.has("sortBy"));
  const calls = (await recorded.callsOf("/")).filter((call) => call.pathname === "/products" && !isOwn(call));
  expect(calls).toHaveLength(3);
  for (const call of calls) {
    expect(call.searchParams.get("limit")).toBe("8");
    expect(selected(call)).toEqual(SECTION_FIELDS);
  }
  const orders = calls.map(parameters).map(({ select: _, limit: __, ...others }) => others);
  expect(orders).toEqual(
    expect.arrayContaining([{ skip: "8" }, { skip: "0", sortBy: "rating", order: "desc" }, { skip: "0", sortBy: "id", order: "desc" }]),
  );
});

const isPreview = ({ pathname }: URL) => pathname.startsWith("/products/category/");

/** A busy machine may lack some thumbnails at the first visit. */
const hasPreviews = (asked: URL[]) => asked.filter(isPreview).length >= 24;

test("the categories ask for their list and for the first thumbnail of each", async ({ recorded }) => {
  const calls = await recorded.callsUntil("/categories", hasPreviews);
  expect(calls.filter(({ pathname }) => pathname === "/products/categories").length).toBeGreaterThan(0);
  const previews = calls.filter(isPreview);
  expect(new Set(previews.map(({ pathname }) => pathname)).size).toBe(24);
  expect(previews).toHaveLength(24);
  for (const call of previews) expect(parameters(call)).toEqual({ limit: "1", select: "thumbnail" });
});

const SEARCH = "/search/a%2Fb%20c";

test("listings ask for a category, for everything or for a search", async ({ recorded }) => {
  for (const [page, path] of [
    ["/category/beauty", "/products/category/beauty"],
    ["/products", "/products"],
    [SEARCH, "/products/search"],
  ] as const) {
    const [call] = (await recorded.callsOf(page)).filter(({ pathname }) => pathname === path);
    // Without a limit the service answers only its first 30.
    expect(call?.searchParams.get("limit"), page).toBe("0");
    if (path.endsWith("search")) expect(call?.searchParams.get("q")).toBe("a/b c");
  }
});

test("a product is asked for by its id", async ({ recorded }) => {
  const calls = await recorded.callsOf("/product/7");
  expect(calls.map(({ pathname }) => pathname)).toContain("/products/7");
});

test("every call is a GET request without credentials", async ({ recorded }) => {
  // The pages of the tests above.
  for (const path of ["/", "/category/beauty", "/products", SEARCH, "/product/7"]) await recorded.callsOf(path);
  await recorded.callsUntil("/categories", hasPreviews);
  for (const { method, headers } of recorded.catalogue.requests) {
    expect(method).toBe("GET");
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
  }
});
