import { heading, open, resize } from "../support/page";
import { categorySlugs } from "../support/products";
import { expect, test } from "../support/test";

/** A phone and a laptop. */
const SCREENS = [[360, 640], [1280, 800]] as const;

test("a misspelt search says that it found nothing and has a suggestion in the first screen", async ({ page, shop }) => {
  const [word = ""] = shop.products.flatMap(({ title }) => /\b[a-z]{6,12}\b/.exec(title.toLowerCase()) ?? []);
  await open(page, `/search/${word}q`);
  await expect(heading(page)).toHaveText(`Search Results for "${word}q"`);
  const notice = page.getByRole("heading", { name: "No products found" });
  const suggestions = page.locator(".SearchSuggestions").getByRole("link");
  for (const [width, height] of SCREENS) {
    await resize(page, width, height);
    await expect(page.getByRole("list", { name: "Did you mean" }).getByRole("link", { name: word, exact: true })).toBeVisible();
    for (const seen of [notice, suggestions.first()]) await expect(seen, `at ${width} px`).toBeInViewport({ ratio: 1 });
  }
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
