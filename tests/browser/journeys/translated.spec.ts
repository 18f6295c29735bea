import type { Page } from "@playwright/test";
import { holdClient } from "../support/client";
import { PRESSES, quantityField } from "../support/earlyPresses";
import { chips, filters, option } from "../support/listing";
import { cards, heading, hydrated, open, searchField } from "../support/page";
import { expect, MORE, test } from "../support/test";
import { translate, WAYS } from "../support/translator";
import type { Way } from "../support/translator";

// Pages that the browser translates before the client has taken them over. `translatedControls.spec.ts` has what comes
// afterwards.

const newsletter = (page: Page) => page.getByRole("contentinfo").getByRole("textbox", { name: /email address/ });

async function openTranslated(page: Page, path: string, way?: Way) {
  const client = await holdClient(page);
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await translate(page, way);
  return client;
}

/** One control of each way in which it takes effect: `lateClient.spec.ts` presses more on pages that are not translated. */
const KINDS = ["Add to Cart after a quantity", "the menu of categories", "the order of products", "the theme"];

for (const { name, path, width, press, effect } of PRESSES) {
  const tag = KINDS.includes(name) ? [] : MORE;
  test(`what is pressed on a translated page before the client comes takes effect: ${name}`, { tag }, async ({ page, watch }) => {
    if (width !== undefined) await page.setViewportSize({ width, height: 800 });
    page.on("dialog", (dialog) => dialog.accept());
    const client = await openTranslated(page, path);
    await press(page);
    await client.asked;
    client.release();
    await hydrated(page);
    await effect(page, watch);
    expect(watch.documents).toHaveLength(1);
  });
}

for (const way of WAYS) test(`what is typed, opened and focused on a translated page stays when the client makes it anew: ${way}`, async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 800 });
  const client = await openTranslated(page, "/product/1", way);
  await newsletter(page).fill("ada@example.com");
  await page.getByLabel("Menu", { exact: true }).click();
  await quantityField(page).fill("42");
  const search = searchField(page);
  await search.fill("red lamp");
  await search.evaluate((field: HTMLInputElement) => { field.setSelectionRange(1, 3, "backward"); });
  const former = await search.elementHandle();
  await client.asked;
  client.release();
  await hydrated(page);
  expect(await former.evaluate((field) => field.isConnected), "the page was made anew").toBe(false);
  await expect(search).toBeFocused();
  await expect(search).toHaveValue("red lamp");
  expect(await search.evaluate(({ selectionStart, selectionEnd, selectionDirection }: HTMLInputElement) => [selectionStart, selectionEnd, selectionDirection])).toEqual([1, 3, "backward"]);
  await expect(newsletter(page)).toHaveValue("ada@example.com");
  await expect(quantityField(page)).toHaveValue("42");
  expect(await page.locator("details.MobileMenu").evaluate((menu: HTMLDetailsElement) => menu.open)).toBe(true);
});

for (const way of WAYS) test(`what is typed, ticked and chosen in the filters of a translated page is applied when the client comes: ${way}`, async ({ page }) => {
  const client = await openTranslated(page, "/products", way);
  await filters(page).getByRole("searchbox").fill("red");
  await option(page, "checkbox", "In stock only").check();
  await option(page, "radio", "2 stars and up").check();
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("price-desc");
  await client.asked;
  client.release();
  await hydrated(page);
  await expect(page).toHaveURL("/products?q=red&rating=2&stock=1&sort=price-desc");
  await expect(filters(page).getByRole("searchbox")).toHaveValue("red");
  await expect(option(page, "checkbox", "In stock only")).toBeChecked();
  await expect(option(page, "radio", "2 stars and up")).toBeChecked();
  await expect(chips(page)).toHaveCount(3);
});

test("a mouse that is down while the client makes a translated page anew still presses", async ({ page, watch }) => {
  const client = await openTranslated(page, "/product/1");
  const button = page.getByRole("button", { name: "Save" });
  await button.hover();
  const former = await button.elementHandle();
  await page.mouse.down();
  await client.asked;
  client.release();
  await hydrated(page);
  expect(await former.evaluate((element) => element.isConnected), "the page was made anew").toBe(false);
  await page.mouse.up();
  await expect.poll(() => watch.logs).toEqual([expect.stringMatching(/^Save: /)]);
});

test("a page whose elements another program has taken away is loaded again, once", async ({ page, watch }) => {
  const stock = option(page, "checkbox", "In stock only");
  const tickWithoutShortCuts = async () => {
    await page.evaluate(() => {
      // What React writes there may be lost with the document.
      console.error = () => undefined;
      // React takes away the short cut to what is ticked.
      for (const item of document.querySelectorAll(".QuickFilters li")) item.remove();
    });
    await stock.click();
  };
  await open(page, "/products");
  await tickWithoutShortCuts();
  await expect.poll(() => watch.documents.length).toBe(2);
  await hydrated(page);
  await expect(heading(page)).toHaveText("All Products");
  await expect(cards(page).first()).toBeVisible();

  // At the same address it would not help again. The change that failed is lost.
  await expect(stock).not.toBeChecked();
  await tickWithoutShortCuts();
  await expect(heading(page)).toHaveText(/^Oops/);
  expect(watch.documents).toHaveLength(2);
});
