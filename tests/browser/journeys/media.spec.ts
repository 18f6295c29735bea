import { heading, open } from "../support/page";
import { findProduct } from "../support/products";
import { expect, test } from "../support/test";

const PAGES = ["/", "/categories", "/products?category=beauty&rating=2", "/product/1"];

test("a printed page is its content, without what can only be used on a screen", async ({ page }) => {
  for (const path of PAGES) {
    await open(page, path);
    await page.emulateMedia({ media: "print" });
    await expect(heading(page)).toBeVisible();
    await expect(page.getByRole("link", { name: "Vitrine, home" })).toBeVisible();
    for (const control of [
      page.getByRole("navigation", { name: "Main" }),
      page.getByRole("contentinfo"),
      page.locator("button, form, select, .button"),
    ]) {
      await expect(control.filter({ visible: true }), path).toHaveCount(0);
    }
    await page.emulateMedia({ media: "screen" });
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  }
});

test("a printed product says everything that the page does", async ({ page, shop }) => {
  await open(page, "/product/1");
  await page.emulateMedia({ media: "print" });
  const { title, description, sku, reviews } = findProduct(shop.products, ({ id }) => id === 1);
  for (const text of [title, description, sku, ...reviews.map(({ comment }) => comment)]) {
    await expect(page.getByRole("main").getByText(text).first()).toBeVisible();
  }
  await expect(page.getByRole("img", { name: /image 1 of/ })).toBeVisible();
});

test("paper is light in the dark theme, too", async ({ page }) => {
  await open(page, "/products");
  const ink = () => page.getByRole("article").first().getByRole("heading").evaluate((title) => getComputedStyle(title).color);
  const light = await ink();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(ink).not.toBe(light);
  await page.emulateMedia({ media: "print" });
  await expect.poll(ink).toBe(light);
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.getByRole("button", { name: "Switch to dark theme" }).click();
  await expect.poll(ink).not.toBe(light);
  await page.emulateMedia({ media: "print" });
  await expect.poll(ink).toBe(light);
});

test("forced colours show which page and which picture is the current one", async ({ page, shop }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open(page, "/deals");
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" });
  expect(await link.evaluate((element) => getComputedStyle(element, "::after").backgroundColor)).not.toBe(ground);
  const product = findProduct(shop.products, ({ images }) => images.length > 1);
  await open(page, `/product/${product.id}`);
  const edges = await page.getByRole("button", { name: /^Show image/ }).evaluateAll((all) =>
    all.map((choice) => getComputedStyle(choice).borderTopColor),
  );
  expect(edges).toHaveLength(product.images.length);
  expect(edges[0]).not.toBe(ground);
  expect(new Set(edges.slice(1))).toEqual(new Set([ground]));
});
