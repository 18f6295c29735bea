import type { Page } from "@playwright/test";
import { chips, option } from "../support/listing";
import { cards, heading, open, resize, WIDTHS } from "../support/page";
import { categoryName, findProduct, money, ofCategory, originalPrice } from "../support/products";
import type { Product } from "../support/products";
import { expect, test } from "../support/test";

function fact(page: Page, name: string) {
  return page.getByRole("definition").and(page.locator(`dt:has-text("${name}") + dd`));
}

async function expectDetails(page: Page, product: Product): Promise<void> {
  await open(page, `/product/${product.id}`);
  const main = page.getByRole("main");
  await expect(heading(page)).toHaveText(product.title);
  await expect(main.getByText(product.description, { exact: true })).toBeVisible();
  await expect(main.getByText(`SKU ${product.sku}`)).toBeVisible();
  const stars = `Rated ${product.rating.toFixed(1)} out of 5`;
  await expect(main.getByRole("img", { name: stars }).first()).toBeVisible();
  await expect(main.getByText(`(${product.reviews.length} reviews)`).first()).toBeVisible();
  if (product.brand !== undefined) {
    await expect(main.getByRole("link", { name: product.brand, exact: true })).toBeVisible();
  }
}

test("a product shows brand, SKU, title, stars with review count and description", async ({ page, shop }) => {
  await expectDetails(page, findProduct(shop.products, ({ brand }) => brand !== undefined));
});

test("a product may lack a brand", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ brand }) => brand === undefined);
  await expectDetails(page, product);
  await expect(page.locator(".ProductSummary-brand")).toHaveCount(0);
});

test("the price stands with the struck original to 2 decimals and the percent off", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ discountPercentage }) => discountPercentage >= 5);
  await open(page, `/product/${product.id}`);
  const price = page.locator(".Price--detail");
  await expect(price).toContainText(money(product.price));
  await expect(price.locator("s")).toHaveText(`Original price ${money(originalPrice(product))}`);
  await expect(price.locator("s")).toHaveCSS("text-decoration-line", "line-through");
  await expect(price).toContainText(`${Math.round(product.discountPercentage)}% off`);
});

test("a product without a discount shows its price alone", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ discountPercentage }) => discountPercentage < 0.5);
  await open(page, `/product/${product.id}`);
  await expect(page.locator(".Price--detail")).toHaveText(money(product.price));
});

test("the stock badge says 'Low Stock' at 5 or less and else 'In Stock'", async ({ page, shop }) => {
  const low = [...shop.products].filter(({ stock }) => stock <= 5).sort((left, right) => right.stock - left.stock)[0];
  const enough = [...shop.products].filter(({ stock }) => stock > 5).sort((left, right) => left.stock - right.stock)[0];
  for (const [product, badge] of [[low, "Low Stock"], [enough, "In Stock"]] as const) {
    await open(page, `/product/${String(product?.id)}`);
    await expect(page.locator(".StockBadge")).toHaveText(badge);
  }
});

test("the back link leads to the product's category", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ category }) => category === "furniture");
  await open(page, `/product/${product.id}`);
  await page.getByRole("link", { name: "Back to Furniture" }).click();
  await expect(page).toHaveURL("/category/furniture");
  await expect(heading(page)).toHaveText("Furniture");
});

test("shipping, returns, warranty, dimensions and weight are named", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ id }) => id === 1);
  const { width, height, depth } = product.dimensions;
  await open(page, "/product/1");
  await expect(fact(page, "Shipping")).toHaveText(product.shippingInformation);
  await expect(fact(page, "Returns")).toHaveText(product.returnPolicy);
  await expect(fact(page, "Warranty")).toHaveText(product.warrantyInformation);
  await expect(fact(page, "Dimensions")).toHaveText(`${width} \u00D7 ${height} \u00D7 ${depth} cm`);
  await expect(fact(page, "Weight")).toHaveText(`${product.weight} kg`);
});

test("tags lead to the products that carry them", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ tags }) => tags.some((tag) => tag.includes(" ")));
  await open(page, `/product/${product.id}`);
  const tags = page.getByRole("list", { name: "Tags" }).getByRole("link");
  await expect(tags).toHaveText([...new Set(product.tags)]);
  const tag = product.tags.find((text) => text.includes(" ")) ?? "";
  await tags.filter({ hasText: tag }).first().click();
  await expect(heading(page)).toHaveText(`Products tagged "${tag}"`);
  const carriers = shop.products.filter((other) => other.tags.includes(tag));
  await expect(cards(page)).toHaveCount(carriers.length);
  await expect(page.getByRole("link", { name: product.title, exact: true })).toBeVisible();
  // The other filters keep the tag, and its chip removes it.
  await option(page, "checkbox", "In stock only").check();
  await expect(page).toHaveURL(/\?tag=.*&stock=1$/);
  await chips(page).filter({ hasText: tag }).click();
  await expect(page).toHaveURL(/\/products\?stock=1$/);
  await expect(heading(page)).toHaveText("All Products");
});

test("more of the same category and recently viewed products stand below", async ({ page, shop }) => {
  const [first, second] = ofCategory(shop.products, "furniture");
  await open(page, `/product/${String(first?.id)}`);
  const related = page.getByRole("region", { name: `More from ${categoryName("furniture")}` });
  await expect(cards(related).first()).toBeVisible();
  await expect(related.getByRole("link", { name: first?.title ?? "", exact: true })).toHaveCount(0);
  await related.getByRole("link", { name: second?.title ?? "", exact: true }).click();
  await expect(heading(page)).toHaveText(second?.title ?? "");
  const recent = page.getByRole("region", { name: "Recently viewed" }).getByRole("link");
  await expect(recent).toHaveCount(1);
  await expect(recent).toHaveAttribute("href", `/product/${String(first?.id)}`);
});

test("related and recently viewed products stand in one row each, at every width", async ({ page, shop }) => {
  const products = ofCategory(shop.products, "furniture").slice(0, 4);
  for (const { id } of products) await open(page, `/product/${id}`);
  for (const width of [...WIDTHS, 1920]) {
    await resize(page, width);
    for (const name of [`More from ${categoryName("furniture")}`, "Recently viewed"]) {
      const places = await page.getByRole("region", { name }).getByRole("listitem").evaluateAll((all) =>
        all.map((item) => Math.round(item.getBoundingClientRect().top)),
      );
      expect(places.length, name).toBeGreaterThan(2);
      expect(new Set(places).size, `${name} at ${width} px`).toBe(1);
    }
  }
});

test("the price is the largest text of a product", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ discountPercentage }) => discountPercentage >= 5);
  await open(page, `/product/${product.id}`);
  for (const width of WIDTHS) {
    await resize(page, width);
    const size = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
    const price = await page.locator(".Price--detail .Price-current").evaluate(size);
    expect(price, `at ${width} px`).toBeGreaterThan(await heading(page).evaluate(size));
  }
});

test("the title begins on a phone's first screen, above the bar with the price", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ images }) => images.length === 4 || images.length === 3);
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, `/product/${product.id}`);
  const [title, bar] = [await heading(page).boundingBox(), await page.locator(".BuyBar").boundingBox()];
  const firstLine = (title?.y ?? NaN) + 30;
  expect(firstLine).toBeLessThan(bar?.y ?? NaN);
  const sizes = await page.getByRole("button", { name: /^Show image/ }).evaluateAll((choices) => choices.map((choice) => choice.getBoundingClientRect().width));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
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
