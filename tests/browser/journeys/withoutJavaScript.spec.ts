import { cards, heading } from "../support/page";
import { expect, test } from "../support/test";

test.use({ javaScriptEnabled: false });

test("without JavaScript a shopper browses from the home page to a product and back to its category", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByText("All Categories").click();
  await expect(page).toHaveURL("/categories");
  await page.getByRole("main").getByRole("link", { name: /^Furniture/ }).click();
  await expect(heading(page)).toHaveText("Furniture");
  const title = await cards(page).nth(1).getByRole("heading").innerText();
  await cards(page).nth(1).getByRole("link").click();
  await expect(heading(page)).toHaveText(title);
  await page.getByRole("link", { name: "Back to Furniture" }).click();
  await expect(page).toHaveURL("/category/furniture");
});

test("without JavaScript the category filter works by a button", async ({ page }) => {
  await page.goto("/categories");
  await page.getByRole("searchbox", { name: "Filter categories" }).fill("WATCHES");
  await page.getByRole("main").getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(2);
});

test("without JavaScript a phone's menu opens", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await page.getByLabel("Menu", { exact: true }).click();
  await page.getByRole("navigation", { name: "Mobile" }).getByRole("link", { name: "Deals" }).click();
  await expect(heading(page)).toHaveText("Deals");
});

test("without JavaScript a product's variant is chosen by a link", async ({ page, shopName }) => {
  test.skip(shopName === "real", "the real products have no variants");
  await page.goto("/product/2");
  await page.getByRole("group", { name: "Volume" }).getByRole("link", { name: "100 ml" }).click();
  await expect(page.locator(".Price--detail .Price-current")).toHaveText("$164.00");
  await expect(page.getByText("SKU FRA-VES-001-100")).toBeVisible();
  await expect(page.locator(".StockBadge")).toHaveText("Low Stock");
});
