import { cards, open } from "../support/page";
import { hasDearerVariant, money, originalPrice } from "../support/products";
import type { Product } from "../support/products";
import { expect, test } from "../support/test";

/** What a card says of a discount; its percentage only where it fits the two rounded prices. */
function discount(product: Product): string[] {
  const percent = Math.round(product.discountPercentage);
  if (percent === 0) return [];
  const rounded = Math.round(originalPrice(product));
  const isRounded = rounded > product.price;
  const implied = 100 * (1 - product.price / (isRounded ? rounded : originalPrice(product)));
  const shown = isRounded ? money(rounded, 0) : money(originalPrice(product));
  return ["Original price", shown, ...(Math.abs(implied - percent) <= 3 ? [`${percent}% off`] : [])];
}

test("cards show brand, title, stars, price, original price, discount and stock", async ({ page, shop }) => {
  await open(page, "/products");
  const shown = shop.products.slice(0, 48);
  await expect(cards(page)).toHaveCount(48);
  // All cards at once: each look for them goes through the whole page.
  const expected = shown.map((product) => {
    const words = [
      product.title,
      ...(product.brand === undefined ? [] : [product.brand]),
      product.rating.toFixed(1),
      `${hasDearerVariant(product) ? "From " : ""}${money(product.price)}`,
      ...discount(product),
      product.stock < 10 ? `${product.stock} left` : "In Stock",
      "Add",
      product.title,
    ];
    return words.join(" ").replace(/\s+/g, " ");
  });
  const texts = await cards(page).allInnerTexts();
  expect(texts.map((text) => text.replace(/\s+/g, " ").trim())).toEqual(expected);
  const links = await cards(page).getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toEqual(shown.map(({ id }) => `/product/${id}`));
  const stars = await cards(page).getByRole("img", { name: /^Rated / }).evaluateAll((all) => all.map((rated) => rated.getAttribute("aria-label")));
  expect(stars).toEqual(shown.map(({ rating }) => `Rated ${rating.toFixed(1)} out of 5`));
});

test("a rating is five stars, filled as far as it goes", async ({ page, shop }) => {
  await open(page, "/products");
  for (const [index, { rating }] of shop.products.slice(0, 4).entries()) {
    const stars = cards(page).nth(index).getByRole("img", { name: `Rated ${rating.toFixed(1)} out of 5` });
    // The row of stars is 100 wide, and the full ones are cut off where the rating ends.
    await expect(stars).toHaveAttribute("viewBox", "0 0 100 20");
    await expect(stars.locator("svg")).toHaveAttribute("width", String(Math.round(rating * 20)));
  }
  // Each star is one closed path.
  expect((await page.locator("#StarRow").getAttribute("d"))?.match(/z/g)).toHaveLength(5);
});
