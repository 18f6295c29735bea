import { matching } from "../support/filters";
import { chips, expectListing, filters, option } from "../support/listing";
import { cards, heading } from "../support/page";
import { findProduct, ofCategory, searched } from "../support/products";
import { expect, test } from "../support/test";

test.use({ javaScriptEnabled: false });

test("without JavaScript the search form works", async ({ page, shop }) => {
  await page.goto("/");
  await page.getByRole("searchbox", { name: "Search products" }).fill(" watch ");
  await page.getByRole("search").getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL("/search/watch");
  await expectListing(page, searched(shop.products, "watch"));
});

test("without JavaScript the filters work by a button", async ({ page, shop }) => {
  await page.goto("/products");
  await filters(page).getByRole("searchbox").fill("a");
  await filters(page).getByRole("spinbutton").fill("500");
  await option(page, "radio", "3 stars and up").check();
  await option(page, "checkbox", "Furniture").check();
  await option(page, "checkbox", "Beauty").check();
  await option(page, "checkbox", "In stock only").check();
  await filters(page).getByRole("button", { name: "Apply filters" }).click();
  const choice = { text: "a", max: 500, rating: 3, categories: ["beauty", "furniture"], inStock: true };
  await expectListing(page, matching(shop.products, choice));
  await expect(chips(page)).toHaveCount(6);
  await expect(option(page, "checkbox", "Furniture")).toBeChecked();
  await chips(page).filter({ hasText: '"a"' }).click();
  await expectListing(page, matching(shop.products, { ...choice, text: "" }));
  await filters(page).getByRole("link", { name: "Clear all" }).click();
  await expectListing(page, shop.products);
});

test("without JavaScript a phone's filter button leads to the filters", async ({ page, shop }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/products");
  await expect(filters(page)).toBeHidden();
  await page.getByRole("main").getByRole("button", { name: "Filters", exact: true }).click();
  await expect(filters(page)).toBeVisible();
  await option(page, "checkbox", "Beauty").check();
  await filters(page).getByRole("button", { name: "Apply filters" }).click();
  await expectListing(page, ofCategory(shop.products, "beauty"));
});

test("without JavaScript sorting works by a button and keeps the filters", async ({ page, shop }) => {
  await page.goto("/products?category=beauty");
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("Price: High to Low");
  await page.getByRole("main").getByRole("button", { name: "Sort", exact: true }).click();
  await expect(heading(page)).toHaveText("All Products");
  await expectListing(
    page,
    ofCategory(shop.products, "beauty").sort((left, right) => right.price - left.price),
  );
});

test("without JavaScript the pages of a listing are links", async ({ page, shop }) => {
  await page.goto("/products?sort=price-asc");
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL("/products?sort=price-asc&page=2");
  const sorted = [...shop.products].sort((left, right) => left.price - right.price);
  await expect(cards(page).getByRole("heading", { level: 3 })).toHaveText(sorted.slice(48, 96).map(({ title }) => title));
});

test("without JavaScript the pictures of a product can be swiped through, and thumbnails are links", async ({ page, shop }) => {
  const { id, title, images } = findProduct(shop.products, (product) => product.images.length >= 2);
  await page.goto(`/product/${id}`);
  const second = page.getByAltText(`${title}, image 2 of ${images.length}`);
  await expect(second).not.toBeInViewport();
  await page.locator(".GalleryTrack").first().evaluate((track) => {
    track.scrollBy(track.clientWidth, 0);
  });
  await expect(second).toBeInViewport({ ratio: 0.9 });
  const thumbnail = page.getByRole("button", { name: `Show image 2 of ${images.length}` });
  await expect(thumbnail).toHaveAttribute("href", images[1] ?? "");
});

test("without JavaScript the number of reviews leads to them", async ({ page, shop }) => {
  const { id, reviews } = findProduct(shop.products, (product) => product.reviews.length > 1);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/product/${id}`);
  await page.getByRole("main").getByRole("link", { name: `(${reviews.length} reviews)` }).click();
  await expect(page).toHaveURL(`/product/${id}#reviews`);
  await expect(page.getByRole("heading", { name: "Reviews" })).toBeInViewport();
});
