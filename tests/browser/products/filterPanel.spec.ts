import type { Locator } from "@playwright/test";
import { matching } from "../support/filters";
import { chips, expectListing, filters, option } from "../support/listing";
import { open, resize, WIDTHS } from "../support/page";
import { ofCategory } from "../support/products";
import { expect, MORE, test } from "../support/test";

for (const width of [360, 768]) {
  test.describe(`${width} px`, { tag: width === 768 ? MORE : [] }, () => {
    test.use({ viewport: { width, height: 740 } });

    test("on small screens the filters are a panel that slides in", async ({ page, shop }) => {
      await open(page, "/products");
      const button = page.getByRole("button", { name: "Filters" });
      const panel = page.getByRole("dialog", { name: "Filters" });
      await expect(filters(page)).toBeHidden();
      await button.click();
      await expect(panel).toBeVisible();
      await option(page, "checkbox", "Beauty").check();
      await expect(panel.getByRole("status")).toHaveText(`${ofCategory(shop.products, "beauty").length} products`);
      await panel.getByRole("button", { name: "Show results" }).click();
      await expect(panel).toBeHidden();
      await expectListing(page, ofCategory(shop.products, "beauty"));
      await expect(page.getByRole("button", { name: "Filters 1 active" })).toBeVisible();
    });

    test("the panel has a clear-all button", async ({ page, shop }) => {
      await open(page, "/products?category=beauty&stock=1");
      await page.getByRole("button", { name: "Filters 2 active" }).click();
      await page.getByRole("dialog").getByRole("link", { name: "Clear all" }).click();
      await expect(option(page, "checkbox", "Beauty")).not.toBeChecked();
      await page.keyboard.press("Escape");
      await expectListing(page, shop.products);
      await expect(chips(page)).toHaveCount(0);
    });
  });
}

test("on wide screens the filters are a sidebar", async ({ page, shop }) => {
  await open(page, "/products");
  await expect(page.getByRole("button", { name: "Filters" })).toBeHidden();
  const sidebar = page.getByRole("region", { name: "Filters" });
  await expect(sidebar.getByRole("searchbox", { name: "Search within" })).toBeVisible();
  await expect(sidebar.getByRole("link", { name: "Clear all" })).toBeVisible();
  await option(page, "checkbox", "In stock only").check();
  await expectListing(page, matching(shop.products, { inStock: true }));
});

test("beside the products the first screen has the search, the price, and the first categories and brands", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, "/products");
  const inSight = [
    filters(page).getByRole("searchbox"),
    filters(page).getByRole("slider"),
    filters(page).getByRole("spinbutton"),
    ...["Categories", "Brands"].map((legend) => filters(page).getByRole("group", { name: legend }).getByRole("checkbox").first().locator("xpath=ancestor::label")),
  ];
  for (const control of inSight) await expect(control).toBeInViewport({ ratio: 1 });
});

for (const width of WIDTHS) {
  test(`at ${width} px "Clear all" is in the line of the heading, once, and disabled with nothing to clear`, { tag: width === 768 ? MORE : [] }, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(page, "/products");
    const button = page.getByRole("button", { name: "Filters" });
    if (await button.isVisible()) await button.click();
    const clear = page.getByRole("link", { name: "Clear all" });
    await expect(clear).toHaveCount(1);
    await expect(clear).toBeDisabled();
    const title = await box(filters(page).getByRole("heading", { name: "Filters" }));
    const link = await box(clear);
    expect(link.top).toBeLessThan((title.top + title.bottom) / 2);
    expect(link.bottom).toBeGreaterThan((title.top + title.bottom) / 2);
    await option(page, "radio", "4 stars and up").check();
    await expect(clear.and(filters(page).locator("*"))).toBeEnabled();
  });
}

test("the filters are in the order of their use", async ({ page }) => {
  await open(page, "/products");
  const names = await filters(page).locator("fieldset > legend, .PriceFilter > label, .TextFilter > label").allTextContents();
  expect(names).toEqual(["Search within", "Highest price", "Categories", "Brands", "Size", "Colour", "Rating", "Availability"]);
});

/** Where an element is in the window; fails if it has no box. */
async function box(locator: Locator): Promise<{ top: number; bottom: number }> {
  return locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });
}

test("the sidebar stays below the header and scrolls on its own", async ({ page }) => {
  await open(page, "/products");
  const text = filters(page).getByRole("searchbox", { name: "Search within" });
  const clear = filters(page).getByRole("link", { name: "Clear all" });
  const header = page.getByRole("banner");
  for (const y of [0, 900, 2_000]) {
    await page.evaluate((top) => { window.scrollTo(0, top); }, y);
    await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(y);
    await expect(clear).toBeInViewport({ ratio: 1 });
    await expect(text).toBeInViewport({ ratio: 1 });
    expect((await box(text)).top).toBeGreaterThan((await box(header)).bottom);
  }
  const stock = option(page, "checkbox", "In stock only");
  await expect(stock).not.toBeInViewport();
  await stock.evaluate((element) => { element.scrollIntoView({ block: "nearest" }); });
  await expect(stock).toBeInViewport();
  expect(await page.evaluate(() => Math.round(scrollY))).toBe(2_000);
  await expect(clear).toBeInViewport({ ratio: 1 });
  // What has the focus is not behind the faded edge.
  const groups = filters(page).locator(".FilterForm-groups");
  await stock.evaluate((element) => { element.closest(".FilterForm-groups")?.scrollTo(0, 0); });
  await option(page, "checkbox", "Groceries").focus();
  expect((await box(option(page, "checkbox", "Groceries"))).bottom).toBeLessThan((await box(groups)).bottom - 24);
});

test("in the panel the buttons stay while the filters scroll, and the form stays the same", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "/products");
  const form = await filters(page).elementHandle();
  const button = page.getByRole("button", { name: "Filters" });
  await button.click();
  const panel = page.getByRole("dialog", { name: "Filters" });
  for (const name of ["4 stars and up", "Any rating"]) {
    await option(page, "radio", name).scrollIntoViewIfNeeded();
    for (const action of [panel.getByRole("link", { name: "Clear all" }), panel.getByRole("button", { name: "Show results" })]) {
      await expect(action).toBeInViewport({ ratio: 1 });
    }
  }
  await filters(page).locator("summary").filter({ hasText: "Brands" }).click();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await button.click();
  await expect(panel).toBeVisible();
  expect(await filters(page).evaluate((now, before) => now === before, form)).toBe(true);
  await expect(filters(page).locator("summary").filter({ hasText: "Brands" })).toContainText("Show fewer");
});

test("every filter is as large as a finger, on a phone, a tablet and a laptop", async ({ page }) => {
  await open(page, "/products?rating=3&stock=1");
  for (const width of WIDTHS) {
    await resize(page, width);
    const button = page.getByRole("button", { name: /^Filters/ });
    if (await button.isVisible()) await button.click();
    await expect(filters(page)).toBeVisible();
    const small = await page.locator("#filter-form :is(label.FilterOption, a, button, summary, input:not(label *)), .FilterChips a").evaluateAll((targets) =>
      targets.flatMap((target) => {
        const { width: across, height } = target.getBoundingClientRect();
        return height > 0 && (across < 44 || height < 44) ? [`${target.outerHTML.slice(0, 80)} ${across} × ${height}`] : [];
      }),
    );
    expect(small, `at ${width} px`).toEqual([]);
    // The panel of a small window closes.
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
});
