import type { Page } from "@playwright/test";
import { breakClient } from "../support/client";
import { highestPrice, matching } from "../support/filters";
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

test("the price slider starts at 0 and at the highest price rounded up, which filters nothing", async ({ page, shop }) => {
  await open(page, "/products");
  const slider = filters(page).getByRole("slider", { name: "Highest price" });
  const number = filters(page).getByRole("spinbutton", { name: "Highest price" });
  const highest = String(highestPrice(shop.products));
  await expect(slider).toHaveAttribute("min", "0");
  await expect(slider).toHaveAttribute("max", highest);
  await expect(slider).toHaveValue(highest);
  await expect(number).toHaveValue(highest);
  await expectListing(page, shop.products);
});

test("the price cap follows the slider and the number field", async ({ page, shop }) => {
  await open(page, "/products");
  const slider = filters(page).getByRole("slider", { name: "Highest price" });
  const number = filters(page).getByRole("spinbutton", { name: "Highest price" });
  await number.fill("50");
  await expect(slider).toHaveValue("50");
  await expectListing(page, matching(shop.products, { max: 50 }));
  await expect(page).toHaveURL("/products?max=50");
  await slider.fill("20");
  await expect(number).toHaveValue("20");
  await expectListing(page, matching(shop.products, { max: 20 }));
  await number.fill("");
  await expectListing(page, shop.products);
  await expect(page).toHaveURL("/products");
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
  await expect(filters(page).getByRole("slider")).toHaveValue(String(highestPrice(shop.products)));
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
  const highest = Number(await slider.inputValue());
  await page.keyboard.press("ArrowLeft");
  await expect(slider).toHaveValue(String(highest - 1));
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
