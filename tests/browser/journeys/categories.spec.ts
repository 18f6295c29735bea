import type { Page } from "@playwright/test";
import { heading, open } from "../support/page";
import { categoryName, categorySlugs, ofCategory } from "../support/products";
import { expect, test } from "../support/test";

function tiles(page: Page) {
  return page.getByRole("main").getByRole("listitem").getByRole("link");
}

test("every category has a card with its first product's picture and its number of products", async ({ page, shop }) => {
  await open(page, "/categories");
  const slugs = categorySlugs(shop.products);
  await expect(tiles(page)).toHaveCount(slugs.length);
  for (const [index, slug] of slugs.entries()) {
    const products = ofCategory(shop.products, slug);
    const tile = tiles(page).nth(index);
    await expect(tile).toHaveText(`${categoryName(slug)} ${products.length} products`);
    await expect(tile).toHaveAttribute("href", `/category/${slug}`);
    await expect(tile.locator("img")).toHaveAttribute("src", products[0]?.thumbnail ?? "");
  }
});

test("the text filter finds category names in whatever case", async ({ page, shop }) => {
  await open(page, "/categories");
  await page.getByRole("searchbox", { name: "Filter categories" }).fill(" WOMENS ");
  const names = categorySlugs(shop.products).map(categoryName).filter((name) => name.startsWith("Womens"));
  await expect(tiles(page)).toHaveCount(names.length);
  await expect(tiles(page)).toHaveText(names.map((name) => new RegExp(`^${name}`)));
  await expect(page.getByRole("main").getByRole("status")).toHaveText(`${names.length} categories`);
});

test("without a match it says 'No categories found matching' with the text", async ({ page }) => {
  await open(page, "/categories");
  await page.getByRole("searchbox", { name: "Filter categories" }).fill("xyz");
  await expect(page.getByRole("main").getByRole("status")).toHaveText('No categories found matching "xyz"');
  await expect(tiles(page)).toHaveCount(0);
});

test("the filter lives in the address", async ({ page }) => {
  await open(page, "/categories");
  await page.getByRole("searchbox", { name: "Filter categories" }).fill("mens shirts");
  await expect(page).toHaveURL("/categories?q=mens%20shirts");
  await page.reload();
  await expect(tiles(page)).toHaveCount(1);
  await tiles(page).click();
  await expect(heading(page)).toHaveText("Mens Shirts");
  await page.goBack();
  await expect(heading(page)).toHaveText("Categories");
  await expect(page.getByRole("searchbox", { name: "Filter categories" })).toHaveValue("mens shirts");
  await expect(tiles(page)).toHaveCount(1);
});

for (const width of [360, 768, 1280]) {
  test(`the layout toggles between grid and list at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, "/categories");
    const layout = page.getByRole("group", { name: "Layout" });
    const [grid, list] = [layout.getByRole("button", { name: "Grid view" }), layout.getByRole("button", { name: "List view" })];
    const nameStands = () =>
      tiles(page).first().evaluate((tile) => {
        const [picture, words] = Array.from(tile.children, (part) => part.getBoundingClientRect());
        return picture !== undefined && words !== undefined && words.top >= picture.bottom ? "below" : "beside";
      });
    await expect(grid).toHaveAttribute("aria-pressed", "true");
    expect(await nameStands()).toBe("below");
    await list.click();
    await expect(list).toHaveAttribute("aria-pressed", "true");
    await expect(grid).toHaveAttribute("aria-pressed", "false");
    expect(await nameStands()).toBe("beside");
    await grid.click();
    expect(await nameStands()).toBe("below");
  });
}
