import { LARGE } from "../support/largeProducts";
import { cards, categoryTiles, open } from "../support/page";
import { expect, test } from "../support/test";

test.use({ shopName: "large" });

test("the menu has a hundred categories and leads to all", async ({ page }) => {
  await open(page, "/");
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("button", { name: "All Categories" }).click();
  await expect(navigation.getByRole("list").getByRole("link")).toHaveCount(100);
  await navigation.getByRole("link", { name: `All ${LARGE} categories` }).click();
  await expect(page).toHaveURL("/categories");
  await expect(page.getByRole("main").getByRole("status")).toHaveText(`${LARGE} categories`);
});

test("typing finds categories of every page, and keeps what is typed", async ({ page }) => {
  await open(page, "/categories");
  const tiles = categoryTiles(page).filter({ hasText: "Kind" });
  await expect(tiles).toHaveCount(100);
  const box = page.getByRole("searchbox", { name: "Filter categories" });
  await box.pressSequentially("KIND 1499 ");
  await expect(tiles).toHaveText([/^Kind 1499/]);
  await expect(box).toHaveValue("KIND 1499 ");
  await expect(page).toHaveURL("/categories?q=KIND%201499");
  await box.fill("boats");
  await expect(page.getByRole("main").getByRole("status")).toHaveText('No categories found matching "boats"');
  await box.fill("");
  await expect(tiles).toHaveCount(100);
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL("/categories?page=2");
  await expect(tiles.first()).toHaveText(/^Kind 0100/);
});

test("a listing shows more brands when they are asked for", async ({ page }) => {
  await open(page, "/products");
  const brands = page.getByRole("group", { name: "Brands" });
  await brands.getByText("Show 100").click();
  await expect(brands.getByRole("checkbox")).toHaveCount(100);
  await brands.getByRole("link", { name: `Show more of ${LARGE} Brands` }).click();
  await expect(brands.getByRole("checkbox")).toHaveCount(500);
  await brands.getByRole("checkbox", { name: /^Brand 0499/ }).check();
  await expect(page).toHaveURL("/products?brand=Brand%200499&facets=all");
  await expect(cards(page)).toHaveCount(1);
});

test("without JavaScript all of it works through forms and links", async ({ browser, shop }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.address });
  const page = await context.newPage();
  await page.goto("/categories");
  await page.getByRole("searchbox", { name: "Filter categories" }).fill("kind 1499");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(categoryTiles(page)).toHaveText([/^Kind 1499/]);

  await page.goto("/products");
  const brands = page.getByRole("group", { name: "Brands" });
  await brands.getByText("Show 100").click();
  await brands.getByRole("link", { name: `Show more of ${LARGE} Brands` }).click();
  await expect(page).toHaveURL("/products?facets=all");
  await brands.getByRole("checkbox", { name: /^Brand 0499/ }).check();
  await page.getByRole("button", { name: "Apply filters" }).click();
  await expect(page).toHaveURL("/products?brand=Brand%200499&facets=all");
  await expect(cards(page)).toHaveCount(1);
  await context.close();
});
