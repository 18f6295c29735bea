import { cards, heading, open, searchField } from "../support/page";
import { expect, test } from "../support/test";

/** A word of a title that is long enough to be mistyped, and its first product's title. */
function wordOfTitle(products: readonly { title: string }[]): { word: string; title: string } {
  for (const { title } of products) {
    const word = /\b[a-z]{6,12}\b/.exec(title.toLowerCase())?.[0];
    if (word !== undefined) return { word, title };
  }
  throw new Error("no title has a long word");
}

test("by keyboard alone, from a mistyped word to a product, and to the search as typed", async ({ page, shop }) => {
  const { word } = wordOfTitle(shop.products);
  await open(page, "/");
  await page.keyboard.press("Tab");
  while (!(await searchField(page).evaluate((field) => field === document.activeElement))) await page.keyboard.press("Tab");
  await page.keyboard.type(`${word}q`);
  const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  // Products are suggested despite the mistake, below the search as it is.
  await expect(options.nth(1)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText(`Search Results for "${word}q"`);
  await expect(heading(page)).toBeFocused();
  const typed = page.getByRole("link", { name: "Search as typed" });
  while (!(await typed.evaluate((link) => link === document.activeElement))) await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip products" });
  await page.keyboard.press("Tab");
  await expect(skip).toBeFocused();
  await page.keyboard.press("Tab");
  const first = cards(page).first().getByRole("link").first();
  await expect(first).toBeFocused();
  const title = await first.innerText();
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText(title);
  await page.goBack();
  await expect(page).toHaveURL(`/search/${word}q`);
  await typed.press("Enter");
  await expect(page.getByRole("heading", { name: "No products found" })).toBeVisible();
});

test("a screen reader hears what is searched, suggested and shown instead", async ({ page, shop }) => {
  const { word } = wordOfTitle(shop.products);
  await open(page, "/");
  const search = page.getByRole("search");
  await searchField(page).pressSequentially("qqqxx");
  // The line that searches is there although nothing is found, which is said.
  await expect(search.getByRole("status")).toHaveText("No suggestions");
  await expect(search).toMatchAriaSnapshot(`
    - combobox "Search products" [expanded]: qqqxx
    - listbox "Suggestions":
      - option "Search for “qqqxx”"
  `);
  await open(page, `/search/${word}q`);
  await expect(page.getByRole("region", { name: "Products", exact: true })).toMatchAriaSnapshot(`
    - region "Products":
      - heading "Products" [level=2]
      - paragraph:
        - link "Search as typed"
      - list
  `);
  await expect(page.getByText(`No products for \u201C${word}q\u201D. Showing \u201C${word}\u201D.`)).toBeVisible();
});
