import type { Page } from "@playwright/test";
import { cards, heading, hydrated, open } from "../support/page";
import { expect, test } from "../support/test";

/** Follows links from screen to screen and returns the path and heading of each. */
async function tour(page: Page): Promise<{ url: string; heading: string }[]> {
  const main = page.getByRole("main");
  const stops: { url: string; heading: string }[] = [];
  async function arrive(name: string | RegExp) {
    await expect(heading(page)).toHaveText(name);
    stops.push({ url: page.url(), heading: await heading(page).innerText() });
  }
  await arrive("Summer Sale Up to 50% off");
  await main.getByRole("link", { name: /^View all.*categor/i }).click();
  await arrive("Categories");
  await main.getByRole("link", { name: /^Furniture/ }).click();
  await arrive("Furniture");
  const card = cards(main).first().getByRole("link");
  const title = await card.innerText();
  await card.click();
  // While a product loads its title is shown already.
  await expect(page).toHaveURL(/\/product\//);
  await arrive(title);
  await page.getByRole("link", { name: "Deals" }).first().click();
  await arrive("Deals");
  return stops;
}

test("follows links without loading another document", async ({ page, watch }) => {
  await open(page, "/");
  const stops = await tour(page);
  expect(stops.map(({ url }) => new URL(url).pathname)).toEqual([
    "/",
    "/categories",
    "/category/furniture",
    expect.stringMatching(/^\/product\/\d+$/),
    "/deals",
  ]);
  expect(watch.documents).toHaveLength(1);
});

test("goes back and forward through the pages that were visited", async ({ page, watch }) => {
  await open(page, "/");
  const stops = await tour(page);
  for (const stop of stops.slice(0, -1).reverse()) {
    await page.goBack();
    await expect(page).toHaveURL(stop.url);
    await expect(heading(page)).toHaveText(stop.heading);
  }
  for (const stop of stops.slice(1)) {
    await page.goForward();
    await expect(page).toHaveURL(stop.url);
    await expect(heading(page)).toHaveText(stop.heading);
  }
  expect(watch.documents).toHaveLength(1);
});

test("moves the focus to the heading of the page that a link leads to", async ({ page }) => {
  await open(page, "/");
  await page.getByRole("main").getByRole("link", { name: "Shop the sale" }).click();
  await expect(heading(page)).toHaveText("Sale");
  await expect(heading(page)).toBeFocused();
  await expect(page).toHaveTitle("Sale | Vitrine");
});

test("starts a new page at its top and comes back to where the last one was left", async ({ page }) => {
  await open(page, "/products");
  const card = cards(page).nth(17).getByRole("link");
  await card.evaluate((link) => { link.scrollIntoView({ block: "center" }); });
  const left = await page.evaluate(() => scrollY);
  expect(left).toBeGreaterThan(500);
  const title = await card.innerText();
  await card.click();
  await expect(heading(page)).toHaveText(title);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(heading(page)).toHaveText("All Products");
  await expect.poll(() => page.evaluate(() => scrollY)).toBeCloseTo(left, -1);
});

test("shows the same page by link and by its address", async ({ page }) => {
  await open(page, "/products");
  const card = cards(page).nth(1).getByRole("link");
  const [title, href] = [await card.innerText(), await card.getAttribute("href")];
  await card.click();
  await expect(heading(page)).toHaveText(title);
  const [linked, linkedTitle] = [await page.getByRole("main").innerText(), await page.title()];
  await page.reload();
  await hydrated(page);
  expect(new URL(page.url()).pathname).toBe(href);
  expect(await page.getByRole("main").innerText()).toBe(linked);
  expect(await page.title()).toBe(linkedTitle);
});
