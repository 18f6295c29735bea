import { cards, heading, open, resize } from "../support/page";
import { categorySlugs } from "../support/products";
import { expect, test } from "../support/test";

/** A phone and a laptop. */
const SCREENS = [[360, 640], [1280, 800]] as const;

test("a misspelt search shows what is meant in the first screen, and can be shown as it was typed", async ({ page, shop }) => {
  const [word = ""] = shop.products.flatMap(({ title }) => /\b[a-z]{6,12}\b/.exec(title.toLowerCase()) ?? []);
  await open(page, `/search/${word}q`);
  await expect(heading(page)).toHaveText(`Search Results for "${word}q"`);
  const notice = page.getByText(`No products for \u201C${word}q\u201D. Showing \u201C${word}\u201D.`);
  for (const [width, height] of SCREENS) {
    await resize(page, width, height);
    await expect(notice, `at ${width} px`).toBeInViewport({ ratio: 1 });
    await expect(cards(page).first()).toBeVisible();
  }
  await page.getByRole("link", { name: "Search as typed" }).press("Enter");
  await expect(page).toHaveURL(`/search/${word}q?typed=1`);
  await expect(page.getByRole("heading", { name: "No products found" })).toBeVisible();
  const meant = page.getByRole("list", { name: "Did you mean" }).getByRole("link", { name: word, exact: true });
  await expect(meant).toBeVisible();
});

test("a search that names a category leads there first", async ({ page, shop }) => {
  const [slug = ""] = categorySlugs(shop.products);
  await open(page, `/search/${encodeURIComponent(`${slug.replaceAll("-", " ")} xyzzy`)}`);
  const first = page.locator(".SearchSuggestions").getByRole("link").first();
  for (const [width, height] of SCREENS) {
    await resize(page, width, height);
    await expect(first).toHaveText(/^Shop .* products?$/);
    await expect(first, `at ${width} px`).toBeInViewport({ ratio: 1 });
  }
  await first.click();
  await expect(page).toHaveURL(`/category/${slug}`);
});
