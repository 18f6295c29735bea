import { cardTitles, open } from "../support/page";
import { categoryName, categorySlugs } from "../support/products";
import { expect, test } from "../support/test";

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
