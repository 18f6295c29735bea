import { createHash } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";
import { heading, hydrated, open } from "../support/page";
import { expect, test } from "../support/test";

test.use({ serviceWorkers: "allow" });

/** Waits until the shop has each page for browsers with its dictionary: it makes that variant in idle time. */
async function untilMade(request: APIRequestContext, paths: string[]): Promise<void> {
  const status = async () => (await request.get("/dictionary", { maxRedirects: 0 })).status();
  await expect.poll(status, { timeout: 60_000 }).toBe(307);
  const hash = createHash("sha256").update(await (await request.get("/dictionary")).body()).digest("base64");
  const { origin } = new URL((await request.get("/dictionary")).url());
  const headers = { "accept-encoding": "br, dcz", "available-dictionary": `:${hash}:` };
  const coding = async (path: string) => (await request.head(origin + path, { headers })).headers()["content-encoding"] ?? "";
  // On a busy machine there is little idle time.
  const timeout = 240_000;
  await expect.poll(async () => new Set(await Promise.all(paths.map(coding))), { timeout }).toEqual(new Set(["dcz"]));
}

/** The codings in which the browser gets its answers, by path. */
function recordCodings(page: Page): Map<string, string> {
  const codings = new Map<string, string>();
  page.on("response", async (response) => {
    codings.set(new URL(response.url()).pathname, (await response.allHeaders())["content-encoding"] ?? "");
  });
  return codings;
}

test("after the first page, documents and data come with the shop's dictionary", async ({ page, context, request, watch }) => {
  await untilMade(request, ["/product/9", "/_data/deals", "/brands", "/categories"]);
  const codings = recordCodings(page);
  const dictionary = page.waitForResponse(/\/dictionary\/./);
  await open(page, "/products");
  await (await dictionary).finished();
  expect(codings.get("/products")).not.toBe("dcz");

  await open(page, "/product/9");
  expect(codings.get("/product/9")).toBe("dcz");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" }).click();
  await expect(heading(page)).toHaveText("Deals");
  expect(codings.get("/_data/deals")).toBe("dcz");

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const document = await open(page, "/brands");
  expect(document.fromServiceWorker()).toBe(true);
  expect(codings.get("/brands")).toBe("dcz");
  await expect(heading(page)).toHaveText("Brands");

  // The dictionary says nothing of a visitor, so it has nothing to do with cookies.
  await context.clearCookies();
  await open(page, "/categories");
  await expect(heading(page)).toHaveText("Categories");
  expect(watch.logs).toEqual([]);
});

test("a shopper who saves data gets no dictionary", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const codings = recordCodings(page);
  await page.goto("/");
  await hydrated(page);
  await expect(page.locator("link[rel=compression-dictionary]")).toHaveCount(0);
  expect([...codings.keys()].filter((path) => path.startsWith("/dictionary"))).toEqual([]);
});
