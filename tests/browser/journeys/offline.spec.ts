import type { Page } from "@playwright/test";
import { buildOf } from "../support/front";
import { expect, test } from "../support/frontTest";
import { cards, heading, hydrated, open } from "../support/page";
import { recordViolations } from "../support/policy";
import { startVitrine } from "../support/server";
import { controlled, expectStored, makeOlder, stored, storedNames, storedPages } from "../support/serviceWorker";
import { CARD, compare } from "../support/sideBySide";
import { translate } from "../support/translator";

const HOURS = 3_600_000;

/** A request without an answer; the browser writes no line of its own about it. */
const LOST = /^failed: .*ERR_EMPTY_RESPONSE/;
/** The browser's own line for data that could not be had, with a worker as without one. */
const LOST_DATA = /^error: Failed to load resource: net::ERR_FAILED .*_data|^failed: .*_data.*ERR_FAILED/;

// The shop's own service worker runs here only; elsewhere it would answer instead of the network.
test.use({ serviceWorkers: "allow" });

// Links are pressed by key here: the pointer would come to rest on another one, which is then prefetched.

/** Opens a page, and waits until the worker controls it and has stored it. */
async function openStored(page: Page, path: string): Promise<void> {
  await open(page, path);
  await controlled(page);
  await expectStored(page, path);
}

function notice(page: Page) {
  return page.getByRole("status").filter({ hasText: "The shop cannot be reached." });
}

test("pages that were seen are shown without a connection, and say how old they are", async ({ page, front, context, watch }) => {
  watch.expect(LOST, "some");
  const violations = await recordViolations(context);
  await openStored(page, "/category/beauty");
  await expect(notice(page)).toHaveCount(0);
  const titles = await cards(page).getByRole("heading", { level: 3 }).allInnerTexts();
  // Documents that the worker makes have the styles of this page.
  const policy = (await page.request.get("/offline")).headers()["content-security-policy"];
  await cards(page).first().getByRole("link").first().click();
  await expect(heading(page)).toHaveText(titles[0] ?? "");
  const product = new URL(page.url()).pathname;
  await expectStored(page, product);

  front.lost = true;
  await page.reload();
  await hydrated(page);
  await expect(heading(page)).toHaveText(titles[0] ?? "");
  await expect(page).toHaveTitle(`${titles[0] ?? ""} | Vitrine`);
  await expect(notice(page)).toContainText("as it was less than a minute ago");

  await makeOlder(page, 3 * HOURS);
  const answered = await open(page, "/category/beauty");
  expect(answered.headers()["content-security-policy"]).toBe(policy);
  await expect(cards(page).getByRole("heading", { level: 3 })).toHaveText(titles);
  await expect(notice(page)).toContainText("as it was 3 hours ago");
  await expect(notice(page)).toBeInViewport();
  expect(violations).toEqual([]);
});

test("links lead to stored pages without a connection, which are replaced when it is back", async ({ page, front, watch }) => {
  watch.expect(LOST, "some");
  watch.expect(LOST_DATA, "some");
  const main = page.getByRole("navigation", { name: "Main" });
  await openStored(page, "/deals");
  await main.getByRole("link", { name: "New Arrivals" }).press("Enter");
  await expect(heading(page)).toHaveText("New Arrivals");
  await expectStored(page, "/new-arrivals");

  front.lost = true;
  await main.getByRole("link", { name: "Deals" }).press("Enter");
  await expect(heading(page)).toHaveText("Deals");
  await expect(notice(page)).toContainText("as it was less than a minute ago");
  // A page that was never seen fails as it would without a worker.
  await main.getByRole("link", { name: "Brands" }).press("Enter");
  await expect(heading(page)).toHaveText("Oops! Sorry, an unexpected error has occurred.");
  await page.goBack();
  await expect(notice(page)).toHaveCount(1);

  front.lost = false;
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(notice(page)).toHaveCount(0);
  await expect(heading(page)).toHaveText("Deals");
});

test("a page that was never seen is the offline page, with links to those that were", async ({ page, front, watch }) => {
  watch.expect(LOST, "some");
  await openStored(page, "/deals");
  front.lost = true;
  await open(page, "/brands");
  await expect(heading(page)).toHaveText("No connection to the shop");
  await expect(page).toHaveTitle("No connection to the shop | Vitrine");
  await expect(page).toHaveURL("/brands");
  await page.getByRole("link", { name: "Try again" }).press("Enter");
  await hydrated(page);
  await expect(heading(page)).toHaveText("No connection to the shop");
  await page.getByRole("main").getByRole("link", { name: "Deals" }).press("Enter");
  await expect(heading(page)).toHaveText("Deals");
  await expect(notice(page)).toBeVisible();

  await open(page, "/brands");
  front.lost = false;
  await page.getByRole("link", { name: "Try again" }).press("Enter");
  await expect(heading(page)).toHaveText("Brands");
});

test("what the shop answers is shown, even if it is an error", async ({ page, front, watch }) => {
  watch.expectStatus(503);
  await openStored(page, "/deals");
  front.busy = true;
  expect((await page.goto("/deals"))?.status()).toBe(503);
  await expect(page.getByRole("heading")).toHaveText("Busy");
});

test("a stored page is not shown for longer than the shop allows", async ({ page, front, watch }) => {
  watch.expect(LOST, "some");
  await openStored(page, "/deals");
  // Longer than the default of `--stale`.
  await makeOlder(page, 8 * 24 * HOURS);
  front.lost = true;
  await open(page, "/deals");
  await expect(heading(page)).toHaveText("No connection to the shop");
});

test("a new build replaces the old one, and the two never share what is stored", async ({ page, front, watch }) => {
  watch.expect(LOST, "some");
  watch.expect(LOST_DATA, "some");
  const main = page.getByRole("navigation", { name: "Main" });
  const [old, next] = [await buildOf(front.shop), "f".repeat(16)];
  await openStored(page, "/deals");

  // The page is of the new build; the worker is not yet.
  front.updated.pages = true;
  await open(page, "/brands");
  await main.getByRole("link", { name: "Best Sellers" }).press("Enter");
  await expect(heading(page)).toHaveText("Best Sellers");
  front.lost = true;
  await main.getByRole("link", { name: "Deals" }).press("Enter");
  await expect(heading(page)).toHaveText("Oops! Sorry, an unexpected error has occurred.");
  expect(await storedPages(page)).toEqual(["/deals"]);
  // The old worker's own page is whole: its document, data and files are of one build.
  await open(page, "/deals");
  await expect(notice(page)).toBeVisible();
  await expect(page.locator('meta[name="vitrine-build"]')).toHaveAttribute("content", old);

  front.lost = false;
  front.updated.worker = true;
  await open(page, "/brands");
  // Browsers look for a new version at every navigation, but take their time.
  await page.evaluate(async () => { await (await navigator.serviceWorker.ready).update(); });
  await expect.poll(() => storedNames(page)).toEqual([`vitrine-files-${next}`, `vitrine-pages-${next}`]);
  await expectStored(page, "/brands");
  expect(await storedPages(page)).not.toContain("/deals");
});

test("switched off, the worker removes itself and everything that it stored", async ({ page, front, watch }) => {
  await openStored(page, "/deals");
  const off = await startVitrine("--service-worker", "off");
  front.shop = off.address;
  await open(page, "/deals");
  await expect.poll(() => storedNames(page)).toEqual([]);
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await open(page, "/brands");
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  front.lost = true;
  // The browser may try twice.
  watch.expect(/failed: .*\/deals/, "some");
  await expect(page.goto("/deals")).rejects.toThrow(/ERR_/);
  await off.stop();
});

test("only whole pages of the shop are stored, and nobody else is asked", async ({ page, front, context, shopName, watch }) => {
  const hosts = new Set<string>();
  context.on("request", (request) => {
    // The pictures of a real catalogue lie on its own host; that they are not stored is asserted below.
    if (request.resourceType() !== "image" || shopName !== "real") hosts.add(new URL(request.url()).origin);
  });
  const whole = ["/", "/categories?q=mens", "/products?rating=4&sort=price-asc&page=2", "/product/1"];
  const failed = ["/product/999999", "/no/such/page"];
  watch.expectStatus(404, failed.length);
  for (const path of [...failed, ...whole]) {
    await open(page, path);
    await controlled(page);
  }
  await expectStored(page, ...whole);
  expect((await storedPages(page)).sort()).toEqual([...whole].sort());

  const everything = Object.entries(await stored(page));
  expect(everything.map(([name]) => name.replace(/-[0-9a-f]{16}$/, "")).sort()).toEqual(["vitrine-files", "vitrine-pages"]);
  for (const [path, type] of everything.flatMap(([, entries]) => entries)) {
    expect(path, "a path of the shop").toMatch(/^\/(?!\/)/);
    expect(type, path).toMatch(/^(application\/json|text\/(html|css|javascript))|^font\//);
  }
  const others = await page.evaluate(async () => ({
    databases: await indexedDB.databases(),
    workers: (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.scriptURL),
  }));
  expect(others).toEqual({ databases: [], workers: [`${front.address}/service-worker.js`] });
  expect([...hosts]).toEqual([front.address]);
  expect(new Set(front.requests.map(({ method, cookie }) => `${method} ${cookie ?? ""}`))).toEqual(new Set(["GET "]));
  expect(await context.cookies()).toEqual([]);
});

test("the newest 50 pages stay", async ({ page }) => {
  await openStored(page, "/deals");
  await page.evaluate(async () => {
    for (let id = 1; id <= 60; id += 1) await fetch(`/_data/product/${id}`);
  });
  await expectStored(page, "/product/60");
  await expect.poll(async () => (await storedPages(page)).length).toBe(50);
  const kept = Array.from({ length: 50 }, (_, index) => `/product/${index + 11}`);
  expect(await storedPages(page)).toEqual(kept);
});

test("stored pages that the browser translates show what others show, also when the connection is back", async ({ page, context, front, watch }) => {
  watch.expect(LOST, "some");
  watch.expect(LOST_DATA, "some");
  const follow = (each: Page, name: string) => each.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).press("Enter");
  // As documents: data would be in the browser's own cache, too.
  await openStored(page, "/new-arrivals");
  await openStored(page, "/deals");
  front.lost = true;
  const plain = await context.newPage();
  for (const each of [plain, page]) {
    each.on("dialog", (dialog) => dialog.accept());
    await open(each, "/deals");
    await expect(notice(each)).toHaveCount(1);
  }
  await translate(page);
  await compare(plain, page, [
    {
      name: "another stored page",
      act: async (each) => {
        await follow(each, "New Arrivals");
        await expect(heading(each)).toHaveText("New Arrivals");
        await expect(notice(each)).toHaveCount(1);
      },
    },
    ...CARD,
    {
      name: "a page that is not stored",
      fails: true,
      act: async (each) => {
        await follow(each, "Brands");
        await expect(heading(each)).toHaveText(/^Oops/);
      },
    },
    { name: "back", act: (each) => each.goBack() },
    {
      name: "the connection is back",
      act: async (each) => {
        front.lost = false;
        await each.evaluate(() => dispatchEvent(new Event("online")));
        await expect(notice(each)).toHaveCount(0);
      },
    },
  ]);
  expect(await page.locator("#root font").count()).toBeGreaterThan(0);
});
