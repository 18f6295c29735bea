import { expectListing, PAGE_SIZE } from "../support/listing";
import { cards, heading, open } from "../support/page";
import { categoryName, ofCategory, searched } from "../support/products";
import type { Product } from "../support/products";
import { expect, MORE, test } from "../support/test";

const isDiscounted = ({ discountPercentage }: Product) => Math.round(discountPercentage) >= 1;
/** The deepest discount first; what is sold out comes last. */
const byDiscount = (left: Product, right: Product) =>
  Number(left.stock === 0) - Number(right.stock === 0) || right.discountPercentage - left.discountPercentage;

/** The listings that have an address of their own, and what each holds. */
const PRESETS: readonly [path: string, name: string, arrange: (products: Product[]) => Product[]][] = [
  ["/products", "All Products", (products) => products],
  ["/sale", "Sale", (products) => products.filter(isDiscounted).sort(byDiscount)],
  ["/new-arrivals", "New Arrivals", (products) => [...products].sort((left, right) => right.id - left.id)],
  ["/best-sellers", "Best Sellers", (products) => [...products].sort((left, right) => right.rating - left.rating)],
  ["/deals", "Deals", (products) => products.filter(isDiscounted).sort(byDiscount).slice(0, 24)],
];

for (const [path, name, arrange] of PRESETS) {
  test.describe(path, () => {
    test("a preset lists its products in its order", async ({ page, shop }) => {
      await open(page, path);
      await expect(heading(page)).toHaveText(name);
      await expectListing(page, arrange(shop.products));
    });
  });
}

for (const slug of ["beauty", "mens-shirts"]) {
  test.describe(slug, { tag: slug === "beauty" ? [] : MORE }, () => {
    test("a category lists its products under its name", async ({ page, shop }) => {
      await open(page, `/category/${slug}`);
      await expect(heading(page)).toHaveText(categoryName(slug));
      await expect(page).toHaveTitle(`${categoryName(slug)} | ${shop.name}`);
      await expectListing(page, ofCategory(shop.products, slug));
    });
  });
}

test("a card leads to its product", async ({ page, shop }) => {
  await open(page, "/category/beauty");
  const [first] = ofCategory(shop.products, "beauty");
  // The whole card follows its link.
  await cards(page).first().click({ position: { x: 60, y: 90 } });
  await expect(page).toHaveURL(`/product/${String(first?.id)}`);
  await expect(heading(page)).toHaveText(first?.title ?? "");
});

test("more than 48 products come in pages with real links", async ({ page, shop }) => {
  await open(page, "/products");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect(pages.getByRole("link", { name: "Previous page" })).toHaveCount(0);
  const next = pages.getByRole("link", { name: "Next page" });
  await expect(next).toHaveAttribute("href", "/products?page=2");
  const last = Math.ceil(shop.products.length / PAGE_SIZE);
  for (let number = 2; number <= last; number += 1) {
    await next.click();
    await expect(page).toHaveURL(`/products?page=${number}`);
    await expect(pages.getByRole("link", { name: `Page ${number}`, exact: true })).toHaveAttribute("aria-current", "page");
    const shown = shop.products.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE);
    await expect(cards(page)).toHaveCount(shown.length);
    await expect(cards(page).getByRole("heading", { level: 3 })).toHaveText(shown.map(({ title }) => title));
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  }
  await expect(next).toHaveCount(0);
  await pages.getByRole("link", { name: "Previous page" }).click();
  await expect(page).toHaveURL(`/products?page=${last - 1}`);
  await page.goBack();
  await expect(page).toHaveURL(`/products?page=${last}`);
});

test("the brands lead from A to Z to their products", async ({ page, shop }) => {
  await open(page, "/brands");
  const counts = new Map<string, number>();
  for (const { brand } of shop.products) if (brand !== undefined) counts.set(brand, (counts.get(brand) ?? 0) + 1);
  const links = page.getByRole("main").getByRole("listitem").getByRole("link");
  await expect(links).toHaveCount(counts.size);
  const names = await links.locator("[dir]").allInnerTexts();
  expect(names).toEqual([...names].sort((left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1)));
  for (const [brand, count] of counts) {
    await expect(links.filter({ has: page.getByText(brand, { exact: true }) })).toHaveText(
      new RegExp(`${count} products?$`),
    );
  }
  const [brand = ""] = names;
  await links.first().click();
  await expect(heading(page)).toHaveText("All Products");
  await expectListing(page, shop.products.filter((product) => product.brand === brand));
});

test("search results are the products that the catalogue finds", async ({ page, shop }) => {
  await open(page, "/");
  await page.getByRole("searchbox", { name: "Search products" }).fill("Watch");
  await page.getByRole("search").getByRole("button", { name: "Search" }).click();
  await expect(heading(page)).toHaveText('Search Results for "Watch"');
  await expectListing(page, searched(shop.products, "watch"));
});
