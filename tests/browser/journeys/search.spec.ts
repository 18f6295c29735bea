import type { Page } from "@playwright/test";
import { filters, resultCount } from "../support/listing";
import { cards, heading, open, resize, searchField, WIDTHS } from "../support/page";
import { expect, test } from "../support/test";

/** What is typed, and the path that it leads to. */
const TEXTS = [
  ["50% off", "/search/50%25%20off"],
  ["a/b", "/search/a%2Fb"],
  ["#1", "/search/%231"],
  ["\u00E4", "/search/%C3%A4"],
  ["\u{1F456}", "/search/%F0%9F%91%96"],
  ["  two  words ", "/search/two%20%20words"],
  ["?q=1&x", "/search/%3Fq%3D1%26x"],
] as const;

test("a search keeps every character of the trimmed text", async ({ page }) => {
  await open(page, "/");
  const box = searchField(page);
  for (const [text, path] of TEXTS) {
    await test.step(text, async () => {
      await box.fill(text);
      await box.press("Enter");
      await expect(heading(page)).toHaveText(`Search Results for "${text.trim()}"`);
      expect(new URL(page.url()).pathname).toBe(path);
      await expect(page).toHaveTitle(`Search Results for "${text.trim()}" | Vitrine`);
      await expect(box).toHaveValue(text.trim());
    });
  }
});

test("a blank search does nothing", async ({ page, watch }) => {
  await open(page, "/categories");
  const box = searchField(page);
  for (const blank of ["", "   "]) {
    await box.fill(blank);
    await page.getByRole("search").getByRole("button", { name: "Search" }).click();
  }
  await expect(page).toHaveURL("/categories");
  await expect(heading(page)).toHaveText("Categories");
  expect(watch.documents).toHaveLength(1);
});

test("a search without results shows 'No products found'", async ({ page }) => {
  await open(page, "/search/no%20such%20thing");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "No products found" })).toBeVisible();
  await expect(main.getByText("Try adjusting your filters or search terms", { exact: true })).toBeVisible();
  await expect(resultCount(page)).toHaveText("0 products");
  await expectNothingToChoose(page);
});

test("an unknown category offers the categories, and no filters", async ({ page, watch }) => {
  watch.expectStatus(404);
  await open(page, "/category/no-such-category");
  await expect(resultCount(page)).toHaveText("0 products");
  await expectNothingToChoose(page);
  await page.getByRole("main").getByRole("link", { name: "All categories" }).click();
  await expect(heading(page)).toHaveText("Categories");
});

test("a filter that leaves nothing can be taken back", async ({ page }) => {
  await open(page, "/products?q=no%20such%20thing");
  await expect(resultCount(page)).toHaveText("0 products");
  await filters(page).getByRole("searchbox", { name: "Search within" }).fill("");
  await expect(cards(page).first()).toBeVisible();
});

async function expectNothingToChoose(page: Page) {
  for (const width of WIDTHS) {
    await resize(page, width);
    await expect(filters(page)).toHaveCount(0);
    await expect(page.getByRole("combobox", { name: "Sort by" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Filters/ })).toHaveCount(0);
    const [main, results] = [page.getByRole("main"), page.getByRole("region", { name: "Products", exact: true })];
    const [room, used] = [await main.boundingBox(), await results.boundingBox()];
    expect(used?.width ?? 0, `at ${width} px`).toBeGreaterThan(0.8 * (room?.width ?? NaN));
  }
}
