import type { Page, Route } from "@playwright/test";
import { filters, option } from "../support/listing";
import { cards, gate, heading, open, resize } from "../support/page";
import { categorySlugs, money, ofCategory, originalPrice } from "../support/products";
import type { Product } from "../support/products";
import { expect, test } from "../support/test";

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

/** The first products are on the first screen, below the head. */
async function expectFirstScreen(page: Page, path: string): Promise<void> {
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

/** The addresses of the pictures of a part of the page. */
function sources(page: Page, within: string): Promise<(string | null)[]> {
  return page.locator(within).evaluateAll((images) => images.map((image) => image.getAttribute("src")));
}

test("the head of a listing says what it has from its own products, and leaves them room; the toolbar says how many there are", async ({ page, shop }) => {
  const [category = ""] = categorySlugs(shop.products);
  const discounted = shop.products.filter(({ discountPercentage }) => Math.round(discountPercentage) >= 1);
  const isSoldOut = ({ stock }: Product) => Number(stock === 0);
  const deals = [...discounted]
    .sort((left, right) => isSoldOut(left) - isSoldOut(right) || right.discountPercentage - left.discountPercentage)
    .slice(0, 24);
  const distinct = (values: readonly (string | undefined)[]) => new Set(values.filter((value) => value !== undefined)).size;
  const grounds = new Map<string, string>();
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

    await expectFirstScreen(page, path);
    grounds.set(path, await head.evaluate((element) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(element);
      return backgroundColor + backgroundImage;
    }));
    if (!["/products", "/new-arrivals"].includes(path)) continue;
    // Pictures that the cards show anyway, to the eye alone.
    const shown = await sources(page, ".ListingHead img");
    expect(shown, path).toHaveLength(3);
    expect(await sources(page, "article img"), path).toEqual(expect.arrayContaining(shown));
    await expect(head.getByRole("img"), path).toHaveCount(0);
  }
  const own = ["/products", "/sale", "/new-arrivals", "/deals"].map((path) => grounds.get(path));
  expect(new Set(own).size, "grounds of their own").toBe(own.length);
  await open(page, "/best-sellers");
  await expectFirstScreen(page, "/best-sellers");
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
  const results = [...new Set(await sources(page, "article .ProductCard-media > .ProductImage:first-child img"))];
  expect(await sources(page, ".ListingHead img")).toEqual(results.slice(0, 3));
  await expectFirstScreen(page, "/search/a");
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
