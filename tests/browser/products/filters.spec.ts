import type { Locator, Page } from "@playwright/test";
import { breakClient } from "../support/client";
import { highestPrice, matching, ratingCounts } from "../support/filters";
import { chips, expectListing, filters, option, resultCount } from "../support/listing";
import { open } from "../support/page";
import { findProduct, ofCategory } from "../support/products";
import { expect, test } from "../support/test";

/** A brand with few products is hidden behind "Show all", so the tests unfold what they need. */
async function unfold(page: Page, legend: string): Promise<void> {
  await filters(page).locator("summary").filter({ hasText: legend }).click();
}

test("the text filter matches title or description in whatever case", async ({ page, shop }) => {
  await open(page, "/products");
  await filters(page).getByRole("searchbox", { name: "Search within" }).fill("WATCH");
  await expectListing(page, matching(shop.products, { text: "watch" }));
  await expect(page).toHaveURL("/products?q=WATCH");
});

/** A price as the slider says it. */
function spoken(price: number): string {
  return `$${price.toLocaleString("en-US")}`;
}

test("the price slider starts at 0 and at the highest price rounded up, which filters nothing", async ({ page, shop }) => {
  await open(page, "/products");
  const slider = filters(page).getByRole("slider", { name: "Highest price" });
  const number = filters(page).getByRole("spinbutton", { name: "Highest price" });
  const highest = highestPrice(shop.products);
  await expect(slider).toHaveAttribute("aria-valuetext", spoken(highest));
  await expect(slider).toHaveValue((await slider.getAttribute("max")) ?? "");
  await expect(number).toHaveValue(String(highest));
  await expectListing(page, shop.products);
  await slider.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", "$0");
  await expect(number).toHaveValue("0");
  await slider.press("End");
  await expect(slider).toHaveAttribute("aria-valuetext", spoken(highest));
  await expect(number).toHaveValue(String(highest));
  await expectListing(page, shop.products);
  await expect(page).toHaveURL("/products");
});

test("the price cap follows the slider and the number field", async ({ page, shop }) => {
  await open(page, "/products");
  const slider = filters(page).getByRole("slider", { name: "Highest price" });
  const number = filters(page).getByRole("spinbutton", { name: "Highest price" });
  await number.fill("53");
  await expect(slider).toHaveAttribute("aria-valuetext", "$53");
  await expectListing(page, matching(shop.products, { max: 53 }));
  await expect(page).toHaveURL("/products?max=53");
  const before = await slider.inputValue();
  await slider.fill("5");
  expect(Number(before)).toBeGreaterThan(5);
  const max = Number(await number.inputValue());
  expect(max).toBeLessThan(53);
  await expect(slider).toHaveAttribute("aria-valuetext", spoken(max));
  await expectListing(page, matching(shop.products, { max }));
  await expect(page).toHaveURL(`/products?max=${max}`);
  await number.fill("");
  await expectListing(page, shop.products);
  await expect(page).toHaveURL("/products");
});

test("along the slider's length products leave in even parts", async ({ page, shop }) => {
  await open(page, "/products");
  const slider = filters(page).getByRole("slider", { name: "Highest price" });
  const number = filters(page).getByRole("spinbutton", { name: "Highest price" });
  const { width, height } = (await slider.boundingBox()) ?? { width: 0, height: 0 };
  for (const part of [0.75, 0.5, 0.25]) {
    await slider.click({ position: { x: part * width, y: height / 2 } });
    const left = matching(shop.products, { max: Number(await number.inputValue()) });
    expect(left.length / shop.products.length).toBeGreaterThan(part - 0.1);
    expect(left.length / shop.products.length).toBeLessThan(part + 0.1);
    await expectListing(page, left);
  }
});

test("a choice that would change nothing says so, and one that leaves nothing is paler", async ({ page, shop }) => {
  const counts = ratingCounts(shop.products, {});
  expect(counts[4]).toBe(shop.products.length);
  await open(page, "/products");
  const everything = `all ${shop.products.length} products`;
  await expect(filters(page).getByRole("radio", { name: `1 star and up (${everything})`, exact: true })).toBeVisible();
  await expect(filters(page).getByRole("radio", { name: /^4 stars and up \(\d+ products\)$/ })).toBeVisible();

  // A cap below every price leaves every other choice without a product.
  await page.goto("/products?max=0");
  const weight = (choice: Locator) => choice.locator("xpath=..").locator(".FilterOption-name").evaluate((name) => {
    const { color, fontWeight } = getComputedStyle(name);
    return { color, fontWeight: Number(fontWeight) };
  });
  const empty = await weight(option(page, "checkbox", "Beauty"));
  await page.goto("/products");
  const filled = await weight(option(page, "checkbox", "Beauty"));
  expect(empty.color).not.toBe(filled.color);
  expect(empty.fontWeight).toBeLessThan(filled.fontWeight);
});

test("a rating means that rating and up, and clicking the chosen one clears it", async ({ page, shop }) => {
  await open(page, "/products");
  for (const [stars, name] of [[5, "5 stars"], [4, "4 stars and up"], [3, "3 stars and up"], [2, "2 stars and up"], [1, "1 star and up"]] as const) {
    const choice = option(page, "radio", name);
    await choice.click();
    await expect(choice).toBeChecked();
    const expected = matching(shop.products, { rating: stars });
    await expect(resultCount(page)).toHaveText(`${expected.length} products`);
    await expect(page).toHaveURL(`/products?rating=${stars}`);
    await choice.click();
    await expect(choice).not.toBeChecked();
    await expect(page).toHaveURL("/products");
  }
  await option(page, "radio", "4 stars and up").click();
  await expectListing(page, matching(shop.products, { rating: 4 }));
});

test("selected categories are listed together", async ({ page, shop }) => {
  await open(page, "/products");
  await option(page, "checkbox", "Furniture").check();
  await expectListing(page, ofCategory(shop.products, "furniture"));
  await option(page, "checkbox", "Beauty").check();
  await expectListing(page, matching(shop.products, { categories: ["beauty", "furniture"] }));
  await expect(page).toHaveURL("/products?category=beauty&category=furniture");
  await option(page, "checkbox", "Furniture").uncheck();
  await expectListing(page, ofCategory(shop.products, "beauty"));
});

test("selected brands are listed together", async ({ page, shop }) => {
  const brands = [...new Set(shop.products.flatMap(({ brand }) => brand ?? []))].sort().slice(-2);
  await open(page, "/products");
  await unfold(page, "Brands");
  for (const brand of brands) await option(page, "checkbox", brand).check();
  await expectListing(page, matching(shop.products, { brands }));
});

test("in stock only leaves out what is sold out", async ({ page, shop }) => {
  findProduct(shop.products, ({ stock }) => stock === 0);
  await open(page, "/products");
  await option(page, "checkbox", "In stock only").check();
  await expectListing(page, matching(shop.products, { inStock: true }));
  await expect(page).toHaveURL("/products?stock=1");
});

test("clear all resets every filter", async ({ page, shop }) => {
  await open(page, "/products?q=a&max=900&rating=3&category=beauty&category=furniture&stock=1");
  await expect(chips(page)).toHaveCount(6);
  await filters(page).getByRole("link", { name: "Clear all" }).click();
  await expect(page).toHaveURL("/products");
  await expectListing(page, shop.products);
  await expect(filters(page).getByRole("searchbox")).toHaveValue("");
  await expect(filters(page).getByRole("spinbutton")).toHaveValue(String(highestPrice(shop.products)));
  await expect(filters(page).getByRole("slider")).toHaveAttribute("aria-valuetext", spoken(highestPrice(shop.products)));
  await expect(option(page, "radio", "3 stars and up")).not.toBeChecked();
  for (const name of ["Beauty", "Furniture", "In stock only"]) await expect(option(page, "checkbox", name)).not.toBeChecked();
});

test("filters that leave nothing say so and offer to clear them", async ({ page, shop }) => {
  await open(page, "/category/beauty?q=no-such-thing");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "No products found" })).toBeVisible();
  await expect(main.getByText("Try adjusting your filters or search terms")).toBeVisible();
  await main.getByRole("link", { name: "Clear all filters" }).last().click();
  await expectListing(page, ofCategory(shop.products, "beauty"));
});

for (const [name, value, compare] of [
  ["Price: Low to High", "price-asc", (left: number, right: number) => left - right],
  ["Price: High to Low", "price-desc", (left: number, right: number) => right - left],
] as const) {
  test.describe(name, () => {
    test("the listing sorts by price", async ({ page, shop }) => {
      await open(page, "/products");
      await page.getByRole("combobox", { name: "Sort by" }).selectOption(name);
      await expect(page).toHaveURL(`/products?sort=${value}`);
      await expectListing(page, [...shop.products].sort((left, right) => compare(left.price, right.price)));
    });
  });
}

test("the listing sorts by rating, the best first", async ({ page, shop }) => {
  await open(page, "/products?max=100");
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("Highest Rated");
  await expect(page).toHaveURL("/products?max=100&sort=rating-desc");
  await expectListing(page, matching(shop.products, { max: 100 }).sort((left, right) => right.rating - left.rating));
});

test("a listing is filtered and sorted by keyboard", async ({ page, shop }) => {
  await open(page, "/products");
  await option(page, "checkbox", "Beauty").focus();
  await page.keyboard.press("Space");
  const beauty = ofCategory(shop.products, "beauty");
  await expectListing(page, beauty);
  await expect(option(page, "checkbox", "Beauty")).toBeFocused();

  const slider = filters(page).getByRole("slider");
  await slider.focus();
  const number = filters(page).getByRole("spinbutton", { name: "Highest price" });
  const highest = Number(await number.inputValue());
  await page.keyboard.press("ArrowLeft");
  const lower = Number(await number.inputValue());
  expect(lower).toBeLessThan(highest);
  await expectListing(page, matching(beauty, { max: lower }));
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL("/products?category=beauty");

  await page.getByRole("combobox", { name: "Sort by" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page).toHaveURL("/products?category=beauty&sort=price-asc");
  await expectListing(page, [...beauty].sort((left, right) => left.price - right.price));
});

test("filters apply by the button when the client fails to load", async ({ page, shop, watch }) => {
  await breakClient(page, watch);
  await page.goto("/products");
  await option(page, "checkbox", "Beauty").check();
  await option(page, "checkbox", "In stock only").check();
  await filters(page).getByRole("button", { name: "Apply filters" }).click();
  await expectListing(page, matching(shop.products, { categories: ["beauty"], inStock: true }));
  await expect(page.getByRole("main").getByRole("button", { name: "Sort", exact: true })).toBeVisible();
});
