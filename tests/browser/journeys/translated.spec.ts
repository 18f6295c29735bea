import type { Page } from "@playwright/test";
import { holdClient } from "../support/client";
import { PRESSES, quantityField } from "../support/earlyPresses";
import { filters, option } from "../support/listing";
import { cards, heading, hydrated, open } from "../support/page";
import { expect, test } from "../support/test";
import { shown, translate } from "../support/translator";

// Pages that the browser translates: before the client has taken them over, and afterwards.

const banner = (page: Page) => page.getByRole("banner");
const newsletter = (page: Page) => page.getByRole("contentinfo").getByRole("textbox", { name: /email address/ });

async function openTranslated(page: Page, path: string) {
  const client = await holdClient(page);
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await translate(page);
  return client;
}

for (const { name, path, width, press, effect } of PRESSES) {
  test(`what is pressed on a translated page before the client comes takes effect: ${name}`, async ({ page, watch }) => {
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

test("what is typed, ticked, opened and focused on a translated page stays when the client makes it anew", async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 800 });
  const client = await openTranslated(page, "/product/1");
  await newsletter(page).fill("ada@example.com");
  await page.getByLabel("Menu", { exact: true }).click();
  await quantityField(page).fill("42");
  const search = banner(page).getByRole("searchbox", { name: "Search products" });
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

interface Step {
  name: string;
  act: (page: Page) => Promise<unknown>;
}

const CARD: Step[] = [
  { name: "wishlist", act: (page) => cards(page).first().getByRole("button", { name: /^Wishlist/ }).click() },
  { name: "add", act: (page) => cards(page).first().getByRole("button", { name: /^Add/ }).click() },
];

const FRAME: Step[] = [
  { name: "menu", act: (page) => page.getByRole("button", { name: "All Categories" }).click() },
  { name: "menu closed", act: (page) => page.keyboard.press("Escape") },
  { name: "theme", act: (page) => banner(page).getByRole("button", { name: /^Switch to/ }).click() },
  {
    name: "newsletter",
    act: async (page) => {
      await newsletter(page).fill("ada@example.com");
      await newsletter(page).press("Enter");
    },
  },
];

const tick = (role: "checkbox" | "radio", name: string): Step => ({ name, act: (page) => option(page, role, name).click() });

/** What can be done on each kind of page. */
const JOURNEYS: readonly { path: string; part?: string; steps: Step[] }[] = [
  { path: "/", part: "main .ProductSection >> nth=1", steps: CARD },
  { path: "/deals", steps: FRAME },
  {
    path: "/products",
    steps: [
      tick("checkbox", "In stock only"),
      tick("radio", "4 stars and up"),
      tick("radio", "2 stars and up"),
      { name: "category", act: (page) => filters(page).locator("input[name=category]").first().click() },
      { name: "another category", act: (page) => filters(page).locator("input[name=category]").nth(2).click() },
      { name: "all brands", act: (page) => filters(page).locator("summary").last().click() },
      { name: "brand", act: (page) => filters(page).locator("input[name=brand]").first().click() },
      { name: "chip", act: (page) => page.getByRole("link", { name: /^Remove filter/ }).last().click() },
      { name: "price", act: (page) => filters(page).getByRole("slider", { name: "Highest price" }).press("ArrowLeft") },
      { name: "order", act: (page) => page.getByRole("combobox", { name: "Sort by" }).selectOption("price-desc") },
      { name: "text", act: (page) => filters(page).getByRole("searchbox").fill("zzz") },
      { name: "all cleared", act: (page) => page.getByRole("link", { name: "Clear all", exact: true }).click() },
      { name: "second page", act: (page) => page.getByRole("link", { name: "Next page" }).click() },
      ...CARD,
    ],
  },
  {
    path: "/category/beauty",
    steps: [
      tick("checkbox", "In stock only"),
      { name: "order", act: (page) => page.getByRole("combobox", { name: "Sort by" }).selectOption("price-desc") },
    ],
  },
  { path: "/brands", steps: [{ name: "brand", act: (page) => page.locator(".BrandGroup-link").first().click() }] },
  {
    path: "/categories",
    steps: [
      { name: "list", act: (page) => page.getByRole("button", { name: "List view" }).click() },
      { name: "text", act: (page) => page.getByRole("searchbox", { name: "Filter categories" }).fill("watches") },
      { name: "no match", act: (page) => page.getByRole("searchbox", { name: "Filter categories" }).fill("zzz") },
      { name: "all", act: (page) => page.getByRole("link", { name: "Show all categories" }).click() },
    ],
  },
  {
    path: "/product/6",
    steps: [
      { name: "one more", act: (page) => page.getByRole("button", { name: "Increase quantity" }).click() },
      { name: "one less", act: (page) => page.getByRole("button", { name: "Decrease quantity" }).click() },
      { name: "add", act: (page) => page.getByRole("button", { name: "Add to Cart" }).click() },
      { name: "save", act: (page) => page.getByRole("button", { name: "Save" }).click() },
      { name: "share", act: (page) => page.getByRole("button", { name: "Share" }).click() },
      { name: "next picture", act: (page) => page.getByRole("button", { name: "Next image" }).click() },
      { name: "thumbnail", act: (page) => page.getByRole("button", { name: /^Show image 1/ }).click() },
      { name: "highest", act: (page) => page.getByRole("combobox", { name: "Sort reviews by" }).selectOption("highest") },
      { name: "lowest", act: (page) => page.getByRole("combobox", { name: "Sort reviews by" }).selectOption("lowest") },
      ...CARD,
    ],
  },
  {
    path: "/search/zzzz",
    steps: [
      {
        name: "search",
        act: async (page) => {
          await banner(page).getByRole("searchbox", { name: "Search products" }).fill("watch");
          await page.keyboard.press("Enter");
        },
      },
      { name: "product", act: (page) => cards(page).first().getByRole("link").click() },
      { name: "back", act: (page) => page.goBack() },
      { name: "home", act: (page) => banner(page).getByRole("link", { name: "Vitrine, home" }).click() },
      { name: "brands", act: (page) => banner(page).getByRole("link", { name: "Brands" }).click() },
    ],
  },
  { path: "/offline", steps: [{ name: "brands", act: (page) => banner(page).getByRole("link", { name: "Brands" }).click() }] },
  { path: "/product/999999", steps: [{ name: "all products", act: (page) => page.getByRole("link", { name: "Browse all products" }).click() }] },
  { path: "/no/such/page", steps: [{ name: "home", act: (page) => page.getByRole("link", { name: "Back to the homepage" }).click() }] },
];

for (const { path, part, steps } of JOURNEYS) {
  test(`a translated page shows what another one shows: ${path}`, async ({ page, context, watch }) => {
    const plain = await context.newPage();
    if (path.endsWith("999999") || path.startsWith("/no/")) watch.expectStatus(404, 2);
    for (const each of [plain, page]) {
      each.on("dialog", (dialog) => dialog.accept());
      await open(each, path);
    }
    await translate(page);
    for (const { name, act } of steps) {
      for (const each of [plain, page]) await act(each);
      await expect.poll(() => page.url(), name).toBe(plain.url());
      const main = name === "home" ? "main h1" : part;
      await expect.poll(async () => (await shown(page, main)) === (await shown(plain, main)), `${name}: the page shows the same`).toBe(true);
      await expect(heading(page)).not.toHaveText(/^Oops/);
    }
    expect(await page.locator("#root font").count()).toBeGreaterThan(0);
    expect(watch.documents).toHaveLength(2);
  });
}

test("a page whose elements another program has taken away is loaded again, once", async ({ page, watch }) => {
  const stock = option(page, "checkbox", "In stock only");
  const tickWithoutResults = async () => {
    await page.evaluate(() => {
      // What React writes there may be lost with the document.
      console.error = () => undefined;
      // React inserts the chips before the results.
      document.querySelector(".ListingResults")?.remove();
    });
    await stock.click();
  };
  await open(page, "/products");
  await tickWithoutResults();
  await expect.poll(() => watch.documents.length).toBe(2);
  await hydrated(page);
  await expect(heading(page)).toHaveText("All Products");
  await expect(cards(page).first()).toBeVisible();

  // At the same address it would not help again. The change that failed is lost.
  await expect(stock).not.toBeChecked();
  await tickWithoutResults();
  await expect(heading(page)).toHaveText(/^Oops/);
  expect(watch.documents).toHaveLength(2);
});
