import { cards, open, resize } from "../support/page";
import { expect, test } from "../support/test";

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
});

test("a phone shows a price, and the number of products in the head, on the first screen of a listing", async ({ page }) => {
  await open(page, "/products");
  const price = await cards(page).first().locator(".Price-current").boundingBox();
  expect((price?.y ?? Infinity) + (price?.height ?? 0)).toBeLessThanOrEqual(740);
  const [head, count] = await Promise.all([".ListingHead", ".ListingPage-count"].map((selector) => page.locator(selector).boundingBox()));
  expect(count?.y).toBeGreaterThan(head?.y ?? Infinity);
  expect((count?.y ?? 0) + (count?.height ?? 0)).toBeLessThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
});

test("filters, order, short cuts and chosen filters share one row, which scrolls", async ({ page }) => {
  await open(page, "/products?stock=1&rating=4");
  const tops = await page.locator(".ListingPage-tools :is(.FilterPanel-button, select, .QuickFilters-link, .FilterChips-chip)").evaluateAll((controls) =>
    controls.map((control) => Math.round(control.getBoundingClientRect().top)),
  );
  expect(tops.length).toBeGreaterThan(4);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("no field makes a phone magnify the page", async ({ page }) => {
  for (const path of ["/products", "/categories", "/product/1"]) {
    await open(page, path);
    const sizes = await page.locator("input:not([type=checkbox], [type=radio], [type=range], [type=hidden]), select").evaluateAll((fields) =>
      fields.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)),
    );
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.min(...sizes), path).toBeGreaterThanOrEqual(16);
  }
});

test("the search field keeps its width when the client arrives", async ({ page, browser, shop }) => {
  const without = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.address });
  const early = await without.newPage();
  for (const width of [360, 768, 1280]) {
    await resize(page, width);
    await early.setViewportSize({ width, height: 800 });
    await open(page, "/products");
    await early.goto("/products");
    const widthOf = async (of: typeof page) => (await of.locator(".SearchBox-input").boundingBox())?.width;
    expect(await widthOf(page), `${width}`).toBe(await widthOf(early));
  }
  await without.close();
});

test("choices that are chosen come first, but move only when the pointer has left", async ({ page }) => {
  await resize(page, 1280);
  await open(page, "/products");
  const group = page.getByRole("group", { name: "Brand" });
  const names = () => group.locator(".FacetGroup-item bdi").allTextContents();
  const [first = "", , third = ""] = await names();
  await group.getByText(third, { exact: true }).click();
  await expect(group.getByRole("checkbox", { name: third })).toBeChecked();
  expect((await names())[0]).toBe(first);
  await page.getByRole("searchbox", { name: "Search products" }).first().click();
  await expect.poll(async () => (await names())[0]).toBe(third);
});
