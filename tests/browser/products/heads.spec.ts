import type { Route } from "@playwright/test";
import { filters, option } from "../support/listing";
import { cards, gate, heading, open, resize } from "../support/page";
import { categorySlugs, money, ofCategory, originalPrice } from "../support/products";
import type { Product } from "../support/products";
import { expect, test } from "../support/test";

const PRESETS = ["/products", "/sale", "/new-arrivals", "/best-sellers", "/deals"];

function isPicture(route: Route): boolean {
  return route.request().resourceType() === "image";
}

/** The discount that the product's card shows, in percent: none that the two rounded prices contradict. */
function shownDiscount(product: Product): number {
  const percent = Math.round(product.discountPercentage);
  const rounded = Math.round(originalPrice(product));
  const before = rounded > product.price ? rounded : originalPrice(product);
  return Math.abs(100 * (1 - product.price / before) - percent) <= 3 ? percent : 0;
}

test("the head of a listing says what it has from its own products, and the toolbar how many there are", async ({ page, shop }) => {
  const [category = ""] = categorySlugs(shop.products);
  const discounted = shop.products.filter(({ discountPercentage }) => Math.round(discountPercentage) >= 1);
  const isSoldOut = ({ stock }: Product) => Number(stock === 0);
  const deals = [...discounted]
    .sort((left, right) => isSoldOut(left) - isSoldOut(right) || right.discountPercentage - left.discountPercentage)
    .slice(0, 24);
  const distinct = (values: readonly (string | undefined)[]) => new Set(values.filter((value) => value !== undefined)).size;
  for (const [path, products] of [
    ["/products", shop.products],
    ["/new-arrivals", shop.products],
    ["/sale", discounted],
    ["/deals", deals],
    [`/category/${category}`, ofCategory(shop.products, category)],
    // The order of a listing does not change its head.
    [`/category/${category}?sort=rating-desc`, ofCategory(shop.products, category)],
  ] as const) {
    await open(page, path);
    const head = page.locator(".ListingHead");
    const lowest = money(Math.min(...products.map(({ price }) => price)));
    await expect(head, path).toContainText(`, from ${lowest}`);
    if (!path.includes("?")) await expect(page.locator(".ListingPage-count"), path).toHaveText(`${products.length} products`);
    const deepest = Math.max(...products.map(shownDiscount));
    await expect(head, path).toContainText(`up to ${deepest}% off`);
    const brands = distinct(products.map(({ brand }) => brand));
    if (!/sale|deals/.test(path)) await expect(head, path).toContainText(`${brands} brands`);
    if (path === "/sale") await expect(head, path).toContainText(`Reduced in ${categorySlugs(products).length} categories`);
    // The line above the products counts them.
    await expect(head, path).not.toContainText(/\d+ products/);
  }
});

test("the head of a listing that was opened with filters leaves its room to the products", async ({ page }) => {
  await open(page, "/sale");
  const head = page.locator(".ListingHead");
  const height = async () => (await head.boundingBox())?.height ?? 0;
  const full = await height();
  await option(page, "checkbox", "In stock only").check();
  await expect(page).toHaveURL("/sale?stock=1");
  expect(await height()).toBe(full);
  await cards(page).first().getByRole("link").click();
  await expect(page).toHaveURL(/\/product\//);
  await page.goBack();
  await expect(heading(page)).toHaveText("Sale");
  expect(await height(), "after going back").toBe(full);
  await open(page, "/sale?stock=1");
  const low = await height();
  expect(low).toBeLessThan(full - 40);
  await filters(page).getByRole("link", { name: "Clear all" }).click();
  await expect(page).toHaveURL("/sale");
  expect(await height()).toBe(low);
});

test("a listing that found nothing promises nothing", async ({ page }) => {
  await open(page, "/search/no%20such%20thing");
  await expect(page.locator(".ListingHead")).toContainText('Search Results for "no such thing"');
  await expect(page.locator(".ListingHead")).not.toContainText(/from \$|% off/);
  await expect(page.locator(".ListingHead img")).toHaveCount(0);
});

test("the head shows pictures that the cards show anyway, to the eye alone", async ({ page }) => {
  for (const path of ["/products", "/new-arrivals"]) {
    await open(page, path);
    const sources = (within: string) =>
      page.locator(within).evaluateAll((images) => images.map((image) => image.getAttribute("src")));
    const shown = await sources(".ListingHead img");
    expect(shown).toHaveLength(3);
    expect(await sources("article img")).toEqual(expect.arrayContaining(shown));
    await expect(page.locator(".ListingHead").getByRole("img")).toHaveCount(0);
  }
});

test("until a picture on the sill is there its initial stands in its place, and without any picture there is no sill", async ({ page, shop, watch }) => {
  const [slug = ""] = categorySlugs(shop.products);
  const path = `/category/${slug}`;
  const sill = page.locator(".ListingHead .Sill");
  const initials = () => sill.locator(".Plate").evaluateAll((plates) => plates.map((plate) => getComputedStyle(plate, "::before").content.slice(1, -1)));
  const covered = () => sill.locator("img").evaluateAll((images) => images.filter((image) => image.getBoundingClientRect().height > 0).length);

  const held = gate();
  await page.route("**", async (route) => {
    if (isPicture(route)) await held.opened;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await expect(sill.locator("img")).toHaveCount(3);
  for (const letter of await initials()) expect(letter).toMatch(/^[\p{L}\p{N}]$/u);
  expect(await covered()).toBe(0);
  held.open();
  await expect.poll(covered).toBe(3);

  watch.expect(/net::ERR_FAILED/, "some");
  await page.route("**", (route) => (isPicture(route) ? route.abort("failed") : route.continue()));
  for (const width of [1280, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, path);
    await expect(sill, `at ${width} px`).toBeHidden();
  }
});

test("the sill of a search has its first results", async ({ page }) => {
  await open(page, "/search/a");
  const sources = (within: string) => page.locator(within).evaluateAll((images) => images.map((image) => image.getAttribute("src")));
  const results = [...new Set(await sources("article .ProductCard-media > .ProductImage:first-child img"))];
  expect(await sources(".ListingHead img")).toEqual(results.slice(0, 3));
});

test("below the head the first products are on the first screen", async ({ page }) => {
  for (const path of [...PRESETS, "/search/a"]) {
    await open(page, path);
    for (const [width, height] of [[360, 800], [1280, 900]] as const) {
      await resize(page, width, height);
      const head = await page.locator(".ListingHead").boundingBox();
      const card = await cards(page).first().boundingBox();
      const picture = await cards(page).first().locator(".ProductImage").boundingBox();
      if (head === null || card === null || picture === null) throw new Error(`${path} has no head or no cards`);
      const where = `${path} at ${width} px`;
      expect(card.y, where).toBeGreaterThan(head.y + head.height);
      expect(card.y + 100, where).toBeLessThan(height);
      if (width > 360) expect(picture.y + picture.height, where).toBeLessThanOrEqual(height);
      const title = await heading(page).boundingBox();
      expect(title?.width, where).toBeGreaterThan(60);
    }
  }
});

test("the head of a category has the tint of its tile", async ({ page, shop }) => {
  const ground = (element: Element) => getComputedStyle(element).backgroundColor;
  const tiles = new Map<string, string>();
  await open(page, "/categories");
  for (const slug of categorySlugs(shop.products).slice(0, 3)) {
    tiles.set(slug, await page.getByRole("main").locator(`a[href="/category/${slug}"]`).evaluate(ground));
  }
  for (const [slug, tile] of tiles) {
    await open(page, `/category/${slug}`);
    expect(await page.locator(".ListingHead").evaluate(ground), slug).toBe(tile);
  }
});

test("Sale, Deals and New Arrivals have grounds of their own", async ({ page }) => {
  const grounds = new Set<string>();
  for (const path of PRESETS.filter((preset) => preset !== "/best-sellers")) {
    await open(page, path);
    grounds.add(await page.locator(".ListingHead").evaluate((head) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(head);
      return backgroundColor + backgroundImage;
    }));
  }
  expect(grounds.size).toBe(4);
});
