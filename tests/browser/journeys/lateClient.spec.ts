import type { Page } from "@playwright/test";
import { breakClient, CLIENT, holdClient } from "../support/client";
import { KINDS, PRESSES, quantityField } from "../support/earlyPresses";
import { test as early } from "../support/frontTest";
import { filters } from "../support/listing";
import { cards, gate, heading, hydrated, open } from "../support/page";
import { expect, isAll, MORE, test } from "../support/test";

// The client comes when the visitor turns to a control, or else when the browser is idle.

/** Counts the clicks that scripts make, from the document's start. */
function countRepeated() {
  Object.assign(globalThis, { repeated: 0 });
  const counter = globalThis as unknown as { repeated: number };
  addEventListener("click", ({ isTrusted }) => { if (!isTrusted) counter.repeated += 1; }, { capture: true });
}

const repeatedClicks = (page: Page) => page.evaluate(() => (globalThis as unknown as { repeated: number }).repeated);

for (const { name, path, width, press, repeated, effect } of PRESSES) {
  const tag = KINDS.includes(name) ? [] : MORE;
  test(`what is pressed before the client comes takes effect once: ${name}`, { tag }, async ({ page, watch }) => {
    if (width !== undefined) await page.setViewportSize({ width, height: 800 });
    const alerts: string[] = [];
    page.on("dialog", async (dialog) => {
      alerts.push(dialog.message());
      await dialog.accept();
    });
    await page.addInitScript(countRepeated);
    const client = await holdClient(page);
    await page.goto(path, { waitUntil: "commit" });
    await press(page);
    await client.asked;
    expect(watch.logs).toEqual([]);
    expect(await repeatedClicks(page)).toBe(0);
    client.release();
    await hydrated(page);
    await effect(page, watch);
    expect(await repeatedClicks(page)).toBe(repeated);
    expect(alerts).toHaveLength(name === "a card's Add" ? 1 : 0);
    expect(watch.documents).toHaveLength(1);
  });
}

test("on a slow machine a press right after the first paint takes effect", async ({ page, watch }) => {
  // The press alone loads the client.
  await page.addInitScript(() => { globalThis.requestIdleCallback = () => 0; });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  for (const { name, path, width, press, effect } of PRESSES) {
    if (!path.startsWith("/product/") && path !== "/categories") continue;
    if (!isAll && !["zoom", "Add to Cart after a quantity", "the layout of categories"].includes(name)) continue;
    watch.logs.length = 0;
    await page.setViewportSize({ width: width ?? 1280, height: 800 });
    await page.goto(path, { waitUntil: "commit" });
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    await press(page);
    await effect(page, watch);
  }
});

early("a press takes effect once although the document's end is late", async ({ page, front, watch }) => {
  const [client, footer] = [gate(), gate()];
  [front.client, front.footer] = [client.opened, footer.opened];
  await page.goto("/product/1", { waitUntil: "commit" });
  const quantity = Number(await quantityField(page).inputValue());
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await page.getByRole("button", { name: "Add to Cart" }).first().click();
  await expect.poll(() => front.requests.some(({ path }) => CLIENT.test(path))).toBe(true);
  client.open();
  await page.waitForResponse(CLIENT);
  await page.getByRole("button", { name: "Save" }).click();
  expect(await page.evaluate(() => document.readyState)).toBe("loading");
  expect(watch.logs).toEqual([]);
  footer.open();
  await hydrated(page);
  const added = new RegExp(`^Add to cart: .* ${quantity + 1}$`);
  await expect.poll(() => watch.logs).toEqual([expect.stringMatching(added), expect.stringMatching(/^Save: /)]);
});

test("links and the search need no client", async ({ page, watch }) => {
  await holdClient(page);
  await page.goto("/", { waitUntil: "commit" });
  await page.getByRole("banner").getByRole("searchbox", { name: "Search products" }).fill("red");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\/red$/);
  await cards(page).first().getByRole("link").click();
  await expect(page).toHaveURL(/\/product\/\d+$/);
  expect(watch.documents.length).toBeGreaterThanOrEqual(3);
});

test("a visit that only scrolls loads no script until the browser is idle", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  // Nothing becomes idle while the page's clock stands still.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto("/products");
  await page.mouse.move(640, 450);
  const isLink = await page.evaluate(() => document.elementFromPoint(640, 450)?.closest("button,input,select,label,[role=button]") === null);
  expect(isLink, "the pointer is on no control").toBe(true);
  const bottom = () => page.evaluate(() => Math.ceil(scrollY + innerHeight) >= document.documentElement.scrollHeight);
  for (let steps = 0; steps < 60 && !(await bottom()); steps += 1) {
    const before = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, 3000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before);
  }
  expect(await bottom()).toBe(true);
  await page.keyboard.press("PageUp");
  expect(scripts).toEqual([]);
  await expect(page.locator("html")).toHaveAttribute("data-client", "awaited");
  await page.clock.resume();
  await hydrated(page);
  expect(scripts).toHaveLength(1);
});

test("a press whose client fails does what it does without one", async ({ page, watch }) => {
  await breakClient(page, watch);
  await page.goto("/", { waitUntil: "commit" });
  await page.getByRole("button", { name: "All Categories" }).click();
  await expect(page).toHaveURL(/\/categories$/);
  // The first page may be gone before its failure is reported. The client of the second one fails too.
  await expect.poll(() => watch.missing()).toEqual([]);
});

test("a page whose build is gone is loaded again once, and then shows what works without a client", async ({ page, watch }) => {
  watch.expectStatus(404, "some");
  watch.expect(/uncaught: Failed to fetch dynamically imported module/);
  await page.route(CLIENT, (route) => route.fulfill({ status: 404, contentType: "text/plain", body: "There is no such file." }));
  await page.goto("/products");
  await expect(filters(page).getByRole("button", { name: "Apply filters" })).toBeVisible();
  expect(watch.documents).toHaveLength(2);
});

test("a page whose build is gone is replaced by one of the new build", async ({ page, watch }) => {
  watch.expectStatus(404, "some");
  let gone = 2;
  await page.route(CLIENT, (route) => {
    gone -= 1;
    return gone >= 0 ? route.fulfill({ status: 404, contentType: "text/plain", body: "There is no such file." }) : route.continue();
  });
  await page.goto("/products");
  await expect.poll(() => watch.documents.length).toBe(2);
  await hydrated(page);
  await expect(page.locator("html")).toHaveAttribute("data-client", "ready");
  expect(watch.documents).toHaveLength(2);
  // A later failure may load it again.
  expect(await page.evaluate(() => sessionStorage.getItem("vitrine-loaded-again"))).toBeNull();
});

test("the visitor goes back and forward before the client is here", async ({ page, watch }) => {
  await open(page, "/brands");
  await page.getByRole("link", { name: "Deals" }).first().click();
  await expect(heading(page)).toHaveText("Deals");
  const client = await holdClient(page);
  await page.reload();
  await client.asked;
  await page.goBack();
  await expect(page).toHaveURL(/\/brands$/);
  await expect(heading(page)).toHaveText("Deals");
  client.release();
  await expect(heading(page)).toHaveText("Brands");
  await expect(page).toHaveTitle(/^Brands /);
  await page.goForward();
  await expect(heading(page)).toHaveText("Deals");
  // The one of the visit and the one of the reload.
  expect(watch.documents).toHaveLength(2);
});
