import type { Locator, Page } from "@playwright/test";
import { open } from "../support/page";
import { findProduct, money } from "../support/products";
import type { Product } from "../support/products";
import { expect, test } from "../support/test";

async function openProduct(page: Page, { id }: Product): Promise<{ field: Locator; less: Locator; more: Locator }> {
  await open(page, `/product/${id}`);
  return {
    field: page.getByRole("spinbutton", { name: "Quantity" }),
    less: page.getByRole("button", { name: "Decrease quantity" }),
    more: page.getByRole("button", { name: "Increase quantity" }),
  };
}

test("the quantity starts at the minimum order and cannot go below it", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ minimumOrderQuantity }) => minimumOrderQuantity > 1);
  const minimum = product.minimumOrderQuantity;
  const { field, less, more } = await openProduct(page, product);
  await expect(field).toHaveValue(String(minimum));
  await expect(field).toHaveAccessibleDescription(`Minimum order: ${minimum}, together ${money(minimum * product.price)}`);
  await expect(less).toHaveAttribute("aria-disabled", "true");
  await less.dispatchEvent("click");
  await expect(field).toHaveValue(String(minimum));
  await more.click();
  await expect(field).toHaveValue(String(minimum + 1));
  await less.click();
  await expect(field).toHaveValue(String(minimum));
  await field.fill(String(minimum - 1));
  await field.blur();
  await expect(field).toHaveValue(String(minimum));
});

test("the quantity starts at 1 where the minimum order is 1", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ minimumOrderQuantity }) => minimumOrderQuantity === 1);
  const { field } = await openProduct(page, product);
  await expect(field).toHaveValue("1");
  await field.fill("-5");
  await field.blur();
  await expect(field).toHaveValue("1");
});

test("what is no number becomes 0 and is raised to the minimum", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ minimumOrderQuantity }) => minimumOrderQuantity > 1);
  const { field } = await openProduct(page, product);
  for (const entry of ["abc", "", "1e999"]) {
    await field.fill(String(product.minimumOrderQuantity + 7));
    await field.fill(entry);
    await field.blur();
    await expect(field).toHaveValue(String(product.minimumOrderQuantity));
  }
});

test("the quantity has no upper bound", async ({ page, shop, watch }) => {
  const product = findProduct(shop.products, ({ minimumOrderQuantity }) => minimumOrderQuantity === 1);
  const { field, more } = await openProduct(page, product);
  await field.fill("1000000");
  await field.press("Enter");
  await more.click();
  await expect(field).toHaveValue("1000001");
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await expect.poll(() => watch.logs).toEqual([`Add to cart: ${product.title} 1000001`]);
});

test("the quantity follows the arrow keys", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ minimumOrderQuantity }) => minimumOrderQuantity > 1);
  const { field } = await openProduct(page, product);
  await field.press("ArrowUp");
  await field.press("ArrowUp");
  await field.press("ArrowDown");
  await expect(field).toHaveValue(String(product.minimumOrderQuantity + 1));
  await field.press("ArrowDown");
  await field.press("ArrowDown");
  await expect(field).toHaveValue(String(product.minimumOrderQuantity));
});

test("one ring goes round the quantity and its buttons", async ({ page, shop }) => {
  const product = findProduct(shop.products, ({ minimumOrderQuantity }) => minimumOrderQuantity === 1);
  const { field, less, more } = await openProduct(page, product);
  const pill = page.locator(".QuantitySelector-control");
  await expect(pill).toHaveCSS("outline-style", "none");
  for (const control of [less, field, more]) {
    const box = await control.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  await field.focus();
  await expect(pill).toHaveCSS("outline-style", "solid");
  await expect(field).toHaveCSS("outline-style", "none");
  await page.keyboard.press("Tab");
  await expect(more).toBeFocused();
  await expect(pill).toHaveCSS("outline-style", "solid");
});
