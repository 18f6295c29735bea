import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { chips, filters, option } from "./listing";
import { cards, heading, open, searchField } from "./page";

/** Does what a listing, a product and the frame around them offer to do; `product` has reviews and pictures. */
export async function shopAround(page: Page, product: number): Promise<void> {
  await browseListing(page);
  await inspectProduct(page, product);
  await browseFrame(page);
}

/** Adds a card's product and closes the alert, which comes after the animation and swallows what is pressed meanwhile. */
export async function addToCart(page: Page, card: Locator): Promise<void> {
  const [alert] = await Promise.all([page.waitForEvent("dialog"), card.getByRole("button", { name: /^Add/ }).click()]);
  await alert.accept();
}

async function browseListing(page: Page): Promise<void> {
  await open(page, "/products");
  await option(page, "radio", "2 stars and up").check();
  await filters(page).getByRole("slider", { name: "Highest price" }).press("ArrowLeft");
  await expect(chips(page)).toHaveCount(2);
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("Price: High to Low");
  await expect(page).toHaveURL(/sort=price-desc/);
  const card = cards(page).first();
  await card.getByRole("button", { name: /^Wishlist/ }).click();
  await addToCart(page, card);
  await page.getByRole("link", { name: "Clear all filters" }).click();
  await expect(page).toHaveURL("/products");
  await cards(page).first().getByRole("link").click();
  await expect(page).toHaveURL(/\/product\/\d+$/);
}

async function inspectProduct(page: Page, product: number): Promise<void> {
  await open(page, `/product/${product}`);
  const gallery = page.getByRole("group", { name: "Product images" });
  await gallery.getByRole("button", { name: /^Zoom in on / }).click();
  await gallery.hover({ position: { x: 40, y: 40 } });
  await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.getByRole("combobox", { name: "Sort reviews by" }).selectOption({ index: 1 });
}

async function browseFrame(page: Page): Promise<void> {
  const banner = page.getByRole("banner");
  await banner.getByRole("button", { name: "Switch to dark theme" }).click();
  await page.getByRole("contentinfo").getByRole("textbox", { name: /email address/ }).fill("ada@example.com");
  await page.getByRole("contentinfo").getByRole("button", { name: "Subscribe" }).click();
  await searchField(page).fill("<b>watch</b>");
  await banner.getByRole("button", { name: "Search" }).click();
  await expect(heading(page)).toContainText("<b>watch</b>");
  const menu = page.getByRole("button", { name: "All Categories" });
  await menu.click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("list").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/category\//);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByLabel("Menu", { exact: true }).click();
  await page.getByRole("navigation", { name: "Mobile" }).getByRole("link", { name: "Categories" }).click();
  await expect(heading(page)).toHaveText("Categories");
  await page.getByRole("searchbox", { name: "Filter categories" }).fill("x");
  await page.goBack();
  await page.getByRole("button", { name: /^Filters/ }).click();
  await expect(page.getByRole("dialog", { name: "Filters" })).toBeVisible();
}
