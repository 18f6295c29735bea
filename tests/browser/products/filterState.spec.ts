import type { Page, Route } from "@playwright/test";
import { brandCounts, categoryCounts, matching, ratingCounts } from "../support/filters";
import type { Choice } from "../support/filters";
import { chips, countOf, countsOfBoxes, expectListing, filters, option, resultCount } from "../support/listing";
import { cards, gate, hydrated, open, openStopped } from "../support/page";
import { categoryName } from "../support/products";
import { expect, test } from "../support/test";

test("each facet counts what it would show, its own group's choice left out", async ({ page, shop }) => {
  const choice: Choice = { text: "a", max: 900, rating: 3, categories: ["beauty", "furniture", "groceries"], inStock: true };
  await open(page, "/products?q=a&max=900&rating=3&category=beauty&category=furniture&category=groceries&stock=1");
  await expectListing(page, matching(shop.products, choice));
  for (const [index, name] of ["5 stars", "4 stars and up", "3 stars and up", "2 stars and up", "1 star and up"].entries()) {
    expect(await countOf(option(page, "radio", name)), name).toBe(ratingCounts(shop.products, choice)[index]);
  }
  for (const summary of await filters(page).locator("summary").all()) await summary.click();
  const counts = await countsOfBoxes(page);
  for (const [slug, count] of categoryCounts(shop.products, choice)) expect(counts.get(categoryName(slug)), slug).toBe(count);
  for (const [brand, count] of brandCounts(shop.products, choice)) expect(counts.get(brand), brand).toBe(count);
  expect(counts.get("In stock only")).toBe(matching(shop.products, { ...choice, inStock: true }).length);
});

test("active filters are chips that are removed one by one", async ({ page, shop }) => {
  await open(page, "/products?q=a&max=900&rating=3&category=beauty&stock=1");
  await expect(chips(page)).toHaveText([
    /Remove filter "a"/,
    /Remove filter Up to \$900/,
    /Remove filter 3 stars and up/,
    /Remove filter Beauty/,
    /Remove filter In stock only/,
  ]);
  await chips(page).filter({ hasText: "Beauty" }).click();
  await expect(page).toHaveURL("/products?q=a&max=900&rating=3&stock=1");
  await expectListing(page, matching(shop.products, { text: "a", max: 900, rating: 3, inStock: true }));
  await expect(resultCount(page)).toBeFocused();
  await chips(page).filter({ hasText: "3 stars" }).click();
  await expect(chips(page)).toHaveCount(3);
  await chips(page).filter({ hasText: "$900" }).click();
  await expect(chips(page)).toHaveCount(2);
  await chips(page).filter({ hasText: '"a"' }).click();
  await expect(chips(page)).toHaveCount(1);
  await expectListing(page, matching(shop.products, { inStock: true }));
});

/** Holds back every further answer to the filters until the returned function is called. */
async function holdAnswers(page: Page): Promise<() => void> {
  const { opened, open: release } = gate();
  await page.route(/\/_data\/products/, async (route) => {
    await opened;
    // An answer that nobody waits for any more is cancelled.
    await route.continue().catch(() => undefined);
  });
  return release;
}

test("chips that are removed quickly stay removed when the first answer is late", async ({ page, shop }) => {
  await open(page, "/products?q=a&rating=3&category=beauty&stock=1");
  const release = await holdAnswers(page);
  for (const [label, count] of [["Beauty", 3], ["In stock only", 2], ['"a"', 1]] as const) {
    await chips(page).filter({ hasText: label }).click();
    await expect(chips(page)).toHaveCount(count);
  }
  release();
  await expect(page).toHaveURL("/products?rating=3");
  await expectListing(page, matching(shop.products, { rating: 3 }));
  await expect(chips(page)).toHaveText([/3 stars and up/]);
});

test("a choice that is under way survives the removal of a chip", async ({ page, shop }) => {
  await open(page, "/products?category=beauty&rating=2");
  const release = await holdAnswers(page);
  await option(page, "checkbox", "In stock only").check();
  await chips(page).filter({ hasText: "Beauty" }).click();
  release();
  await expect(page).toHaveURL("/products?rating=2&stock=1");
  await expectListing(page, matching(shop.products, { rating: 2, inStock: true }));
});

test("clearing all filters also clears the one that was just typed", async ({ page, shop }) => {
  await openStopped(page, "/products?category=beauty");
  const text = filters(page).getByRole("searchbox", { name: "Search within" });
  // The second letter has to wait until 100 ms after the first.
  await text.pressSequentially("wa");
  await expect(page).toHaveURL("/products?q=w&category=beauty");
  await page.getByRole("list", { name: "Active filters" }).getByRole("link", { name: "Clear all filters" }).click();
  await page.clock.runFor(1_000);
  await expect(page).toHaveURL("/products");
  await expectListing(page, shop.products);
  await expect(text).toHaveValue("");
});

test("a filtered listing can be shared, reloaded and walked back through", async ({ page, shop, watch }) => {
  await open(page, "/products");
  await option(page, "checkbox", "Beauty").check();
  await expect(page).toHaveURL("/products?category=beauty");
  await option(page, "checkbox", "In stock only").check();
  await expect(page).toHaveURL("/products?category=beauty&stock=1");
  expect(watch.documents).toHaveLength(1);
  await page.reload();
  await hydrated(page);
  await expectListing(page, matching(shop.products, { categories: ["beauty"], inStock: true }));
  await page.goBack();
  await expect(option(page, "checkbox", "In stock only")).not.toBeChecked();
  await expectListing(page, matching(shop.products, { categories: ["beauty"] }));
  await page.goBack();
  await expect(option(page, "checkbox", "Beauty")).not.toBeChecked();
  await expectListing(page, shop.products);
});

test("what is chosen before the page is hydrated is applied then", async ({ page, shop }) => {
  const { opened, open: release } = gate();
  await page.route("**/assets/entry-*.js", async (route) => {
    await opened;
    await route.continue();
  });
  await page.goto("/products", { waitUntil: "commit" });
  const slider = filters(page).getByRole("slider", { name: "Highest price" });
  await slider.press("Home");
  release();
  await hydrated(page);
  await expect(page).toHaveURL("/products?max=0");
  await expect(slider).toHaveAttribute("aria-valuetext", "$0");
  await option(page, "checkbox", "In stock only").check();
  await expect(page).toHaveURL("/products?max=0&stock=1");
  await expectListing(page, matching(shop.products, { max: 0, inStock: true }));
});

test("unknown parameters are ignored, and so are senseless values", async ({ page, shop }) => {
  await open(page, "/products?utm_source=x&rating=9&max=-1&sort=up&page=0&stock=yes&brand=%20");
  await expect(chips(page)).toHaveCount(0);
  await expectListing(page, shop.products);
});

test("the previous results stay, dimmed, until the next ones arrive", async ({ page, shop }) => {
  await open(page, "/products");
  const { opened, open: release } = gate();
  await page.route(/\/_data\/products\?/, async (route) => {
    await opened;
    await route.continue();
  });
  await option(page, "checkbox", "Beauty").check();
  const results = page.getByRole("region", { name: "Products" });
  await expect(results).toHaveAttribute("aria-busy", "true");
  await expect(results).toHaveCSS("opacity", "0.5");
  await expect(cards(page)).toHaveCount(48);
  // The choice itself shows at once.
  await expect(option(page, "checkbox", "Beauty")).toBeChecked();
  release();
  await expect(results).toHaveAttribute("aria-busy", "false");
  await expectListing(page, matching(shop.products, { categories: ["beauty"] }));
});

test("a late answer to an earlier choice is dropped", async ({ page, shop }) => {
  await open(page, "/products");
  const held: Route[] = [];
  await page.route(/\/_data\/products\?q=wat$/, (route) => { held.push(route); });
  const text = filters(page).getByRole("searchbox", { name: "Search within" });
  await text.fill("wat");
  await expect.poll(() => held.length).toBe(1);
  await text.fill("watch");
  await expectListing(page, matching(shop.products, { text: "watch" }));
  for (const route of held) await route.continue().catch(() => undefined);
  await expect(page).toHaveURL("/products?q=watch");
  await expectListing(page, matching(shop.products, { text: "watch" }));
  await expect(text).toHaveValue("watch");
});

test("the slider follows at once and asks at most every 100 ms", async ({ page, shop }) => {
  await openStopped(page, "/products");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/_data/")) asked.push(new URL(request.url()).search);
  });
  const slider = filters(page).getByRole("slider", { name: "Highest price" });
  const number = filters(page).getByRole("spinbutton", { name: "Highest price" });
  const prices: number[] = [];
  for (let stop = 12; stop >= 4; stop -= 1) {
    await slider.fill(String(stop));
    prices.push(Number(await number.inputValue()));
  }
  expect(prices).toEqual([...new Set(prices)].sort((left, right) => right - left));
  const [first = 0] = prices;
  const last = prices.at(-1) ?? 0;
  await expectListing(page, matching(shop.products, { max: first }));
  await page.clock.runFor(99);
  expect(asked).toEqual([`?max=${first}`]);
  await page.clock.runFor(1);
  await expectListing(page, matching(shop.products, { max: last }));
  expect(asked).toEqual([`?max=${first}`, `?max=${last}`]);
  await expect(page).toHaveURL(`/products?max=${last}`);
  // One gesture is one step in the history.
  await page.goBack();
  await expect(page).toHaveURL("/products");
});
