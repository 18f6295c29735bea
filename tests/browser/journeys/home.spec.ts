import { cards, heading, open, openStopped } from "../support/page";
import { expect, test } from "../support/test";

test("the summer-sale banner leads to the sale and to all products", async ({ page }) => {
  await open(page, "/");
  const main = page.getByRole("main");
  await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
  await expect(main.getByRole("link", { name: "All products" })).toHaveAttribute("href", "/products");
  await main.getByRole("link", { name: "Shop the sale" }).click();
  await expect(page).toHaveURL("/sale");
});

test("three figures: 1M+ customers, 50K+ products, 24/7 support", async ({ page }) => {
  await open(page, "/");
  const stats = page.getByRole("list", { name: "The shop in figures" }).getByRole("listitem");
  await expect(stats).toHaveText([/1M\+.*customers/i, /50K\+.*products/i, /24\/7.*support/i]);
});

test("adding to the cart at home only logs", async ({ page, watch }) => {
  await openStopped(page, "/");
  const card = cards(page).first();
  const title = await card.getByRole("heading").innerText();
  await card.getByRole("button", { name: /^Add/ }).click();
  await expect(card.getByRole("button", { name: /^Adding\.\.\./ })).toBeVisible();
  expect(watch.logs).toEqual([]);
  await page.clock.runFor(500);
  await expect.poll(() => watch.logs).toEqual([`Added to cart: ${title}`]);
});
