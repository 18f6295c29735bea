import { cards, cardTitles, heading, open } from "../support/page";
import { categoryName, categorySlugs } from "../support/products";
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

test("six categories are chosen at random, with a link to all", async ({ page, shop }) => {
  const names = categorySlugs(shop.products).map(categoryName);
  const seen = new Set<string>();
  for (let visit = 0; visit < 3; visit += 1) {
    await open(page, "/");
    const section = page.getByRole("region", { name: /categor/i });
    const tiles = section.getByRole("listitem").getByRole("link");
    await expect(tiles).toHaveCount(6);
    const shown = (await tiles.allInnerTexts()).map((text) => text.split("\n")[0]?.trim() ?? "");
    expect(new Set(shown).size).toBe(6);
    expect(names).toEqual(expect.arrayContaining(shown));
    seen.add(shown.join());
    await expect(section.getByRole("link", { name: /^View all/ })).toHaveAttribute("href", "/categories");
  }
  expect(seen.size).toBeGreaterThan(1);
});

test("Featured, Best Sellers and New Arrivals show 8 products each, with a link to all", async ({ page, shop }) => {
  await open(page, "/");
  const { products } = shop;
  for (const [name, expected] of [
    ["Featured", products.slice(8, 16)],
    ["Best Sellers", [...products].sort((left, right) => right.rating - left.rating).slice(0, 8)],
    ["New Arrivals", [...products].sort((left, right) => right.id - left.id).slice(0, 8)],
  ] as const) {
    const section = page.getByRole("region", { name, exact: true });
    expect(await cardTitles(section)).toEqual(expected.map(({ title }) => title));
    await expect(section.getByRole("link", { name: /^View all/ })).toHaveAttribute("href", "/products");
  }
});

test("adding to the cart at home only logs", async ({ page, watch }) => {
  await open(page, "/");
  const card = cards(page).first();
  const title = await card.getByRole("heading").innerText();
  await card.getByRole("button", { name: /^Add/ }).click();
  await expect(card.getByRole("button", { name: /^Adding\.\.\./ })).toBeVisible();
  await expect.poll(() => watch.logs).toEqual([`Added to cart: ${title}`]);
});
