import { categoryTiles, open } from "../support/page";
import { categoryName, categorySlugs, ofCategory } from "../support/products";
import { expect, MORE, test } from "../support/test";

test("every category has a card with its first product's picture and its number of products", async ({ page, shop }) => {
  await open(page, "/categories");
  const slugs = categorySlugs(shop.products);
  await expect(categoryTiles(page)).toHaveText(slugs.map((slug) => `${categoryName(slug)} ${ofCategory(shop.products, slug).length} products`));
  const tiles = await categoryTiles(page).evaluateAll((all) =>
    all.map((tile) => ({
      href: tile.getAttribute("href"),
      pictures: [...tile.querySelectorAll("img")].map((image) => image.getAttribute("src")),
    })),
  );
  expect(tiles).toEqual(
    slugs.map((slug) => ({ href: `/category/${slug}`, pictures: [ofCategory(shop.products, slug)[0]?.thumbnail ?? ""] })),
  );
});

test("the text filter finds category names in whatever case", async ({ page, shop }) => {
  await open(page, "/categories");
  await page.getByRole("searchbox", { name: "Filter categories" }).fill(" WOMENS ");
  const names = categorySlugs(shop.products).map(categoryName).filter((name) => name.startsWith("Womens"));
  await expect(categoryTiles(page)).toHaveCount(names.length);
  await expect(categoryTiles(page)).toHaveText(names.map((name) => new RegExp(`^${name}`)));
  await expect(page.getByRole("main").getByRole("status")).toHaveText(`${names.length} categories`);
});

for (const width of [768, 1280]) {
  test(`All Categories opens a grid of 3 columns with every category at ${width} px`, { tag: width === 1280 ? MORE : [] }, async ({ page, shop }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, "/");
    const navigation = page.getByRole("navigation", { name: "Main" });
    await navigation.getByRole("button", { name: "All Categories" }).click();
    const links = navigation.getByRole("list").getByRole("link");
    const slugs = categorySlugs(shop.products);
    await expect(links).toHaveText(slugs.map(categoryName));
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual(
      slugs.map((slug) => `/category/${slug}`),
    );
    const columns = await links.evaluateAll((all) => new Set(all.map((link) => link.getBoundingClientRect().left)).size);
    expect(columns).toBe(3);
  });
}
