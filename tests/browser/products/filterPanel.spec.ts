import { matching } from "../support/filters";
import { chips, expectListing, filters, option } from "../support/listing";
import { open } from "../support/page";
import { ofCategory } from "../support/products";
import { expect, test } from "../support/test";

for (const width of [360, 768]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 740 } });

    test("on small screens the filters are a panel that slides in", async ({ page, shop }) => {
      await open(page, "/products");
      const button = page.getByRole("button", { name: "Filters" });
      const panel = page.getByRole("dialog", { name: "Filters" });
      await expect(filters(page)).toBeHidden();
      await button.click();
      await expect(panel).toBeVisible();
      await option(page, "checkbox", "Beauty").check();
      await expect(panel.getByRole("status")).toHaveText(`${ofCategory(shop.products, "beauty").length} products`);
      await panel.getByRole("button", { name: "Show results" }).click();
      await expect(panel).toBeHidden();
      await expectListing(page, ofCategory(shop.products, "beauty"));
      await expect(page.getByRole("button", { name: "Filters 1 active" })).toBeVisible();
    });

    test("the panel has a clear-all button", async ({ page, shop }) => {
      await open(page, "/products?category=beauty&stock=1");
      await page.getByRole("button", { name: "Filters 2 active" }).click();
      await page.getByRole("dialog").getByRole("link", { name: "Clear all" }).click();
      await expect(option(page, "checkbox", "Beauty")).not.toBeChecked();
      await page.keyboard.press("Escape");
      await expectListing(page, shop.products);
      await expect(chips(page)).toHaveCount(0);
    });
  });
}

test("on wide screens the filters are a sidebar", async ({ page, shop }) => {
  await open(page, "/products");
  await expect(page.getByRole("button", { name: "Filters" })).toBeHidden();
  const sidebar = page.getByRole("region", { name: "Filters" });
  await expect(sidebar.getByRole("searchbox", { name: "Search within" })).toBeVisible();
  await expect(sidebar.getByRole("link", { name: "Clear all" })).toBeVisible();
  await option(page, "checkbox", "In stock only").check();
  await expectListing(page, matching(shop.products, { inStock: true }));
});
