import type { Locator, Page } from "@playwright/test";
import { cards, gate, heading, open, resize, WIDTHS } from "../support/page";
import { andMore, expect, MORE, test } from "../support/test";

/** Holds back the data of a page; the returned function lets it go. */
async function holdBack(page: Page, data: RegExp): Promise<() => void> {
  const { opened, open: release } = gate();
  await page.route(data, async (route) => {
    await opened;
    await route.continue();
  });
  return release;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where elements stand in the window, rounded to CSS pixels. */
async function boxes(elements: Locator): Promise<Box[]> {
  return elements.evaluateAll((all) =>
    all.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
    }),
  );
}

/** The upper edge of an element, measured from the top of the page. */
function pageTop(element: Element): number {
  return element.getBoundingClientRect().top + scrollY;
}

test("a listing that is being loaded shows 6 cards in outline", async ({ page }) => {
  for (const width of andMore([360, 1280], [768, 1920])) {
    await resize(page, width);
    await open(page, "/brands");
    const release = await holdBack(page, /\/_data\/best-sellers/);
    await page.getByRole("contentinfo").getByRole("link", { name: "Best Sellers" }).click();
    const skeleton = page.getByRole("status").filter({ hasText: "Loading products" });
    await expect(skeleton).toBeVisible();
    await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
    const outlines = await boxes(skeleton.locator(".ProductCard"));
    const outlinedTop = await skeleton.locator(".ProductGrid").evaluate(pageTop);
    expect(outlines).toHaveLength(6);
    release();
    await expect(heading(page)).toHaveText("Best Sellers");
    await expect(skeleton).toHaveCount(0);

    // The outlines stand where the cards will be.
    const real = (await boxes(cards(page))).slice(0, outlines.length);
    const columns = ({ x, width: cardWidth }: Box) => ({ x, cardWidth });
    expect(outlines.map(columns), `columns at ${width} px`).toEqual(real.map(columns));
    const top = await page.getByRole("main").locator(".ProductGrid").first().evaluate(pageTop);
    expect(Math.abs(top - outlinedTop), `how far the grid moves at ${width} px`).toBeLessThanOrEqual(8);
    const heights = real.map(({ height }, index) => height / (outlines[index]?.height ?? 0));
    for (const ratio of heights) expect(Math.abs(ratio - 1), `heights at ${width} px`).toBeLessThanOrEqual(0.2);
  }
});

for (const width of WIDTHS) test(`a product that is being loaded shows a spinner, and what is known at its place, at ${width} px`, { tag: width === 768 ? MORE : [] }, async ({ page }) => {
  await page.setViewportSize({ width, height: 740 });
  await open(page, "/");
  const release = await holdBack(page, /\/_data\/product\//);
  const card = cards(page).first();
  const link = card.getByRole("link");
  const title = await link.innerText();
  const price = await card.locator(".Price-current").innerText();
  const picture = await card.locator("img").getAttribute("src");
  await link.click();
  const spinner = page.getByRole("status").filter({ hasText: "Loading product" });
  await expect(spinner).toBeVisible();
  await expect(heading(page)).toHaveText(title);
  await expect(page.getByRole("main")).toContainText(price);
  const pending = page.getByRole("main").locator("img");
  await expect(pending).toHaveAttribute("src", picture ?? "");
  const outlined = await pending.boundingBox();
  const places = () => boxes(page.getByRole("main").locator("h1, .Price--detail .Price-current"));
  const known = await places();
  expect(known).toHaveLength(2);
  release();
  await expect(spinner).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add to Cart" }).first()).toBeVisible();
  // The picture stays where it is.
  expect(await page.getByRole("group", { name: "Product images" }).locator("img").first().boundingBox()).toEqual(outlined);
  // So do title and price.
  expect(await places()).toEqual(known);
  await expect(heading(page)).toHaveText(title);
});

test("other pages keep what is shown, under a progress bar, while the next is loaded", async ({ page }) => {
  await open(page, "/");
  const release = await holdBack(page, /\/_data\/categories/);
  await page.getByRole("main").getByRole("link", { name: /^View all.*categor/i }).click();
  await expect(page.locator(".ProgressBar")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^Loading$/ })).toBeAttached();
  await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
  release();
  await expect(heading(page)).toHaveText("Categories");
});
