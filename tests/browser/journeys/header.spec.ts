import { heading, open } from "../support/page";
import { expect, MORE, test } from "../support/test";

test("the strip promises free shipping over $50, 24/7 support and 30-day returns", async ({ page }) => {
  await open(page, "/");
  const promises = page.getByRole("banner").getByRole("listitem");
  for (const promise of ["Free shipping on orders over $50", "24/7 support", "30-day returns"]) {
    await expect(promises.filter({ hasText: promise })).toBeVisible();
  }
});

// `brand.spec.ts` scrolls at 768 px, where the header gets lower.
for (const width of [360, 1280]) {
  test(`the header stays in sight at ${width} px`, { tag: width === 1280 ? MORE : [] }, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(page, "/products");
    const search = page.getByRole("searchbox", { name: "Search products" });
    await page.evaluate(() => { scrollTo(0, 2000); });
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(2000);
    await expect(search).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("contentinfo")).toHaveCount(1);
  });
}

test("the logo leads home", async ({ page }) => {
  await open(page, "/categories");
  await page.getByRole("banner").getByRole("link", { name: "Vitrine, home" }).click();
  await expect(page).toHaveURL("/");
  await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
});

test("notifications, cart and account are buttons with sample badges that do nothing", async ({ page, watch }) => {
  await open(page, "/");
  const banner = page.getByRole("banner");
  const before = await page.locator("#root").innerText();
  for (const [name, badge] of [["Notifications: 2 new", "2"], ["Cart: 3 items", "3"], ["Account", ""]] as const) {
    const button = banner.getByRole("button", { name, exact: true });
    await expect(button).toHaveText(badge);
    await button.click();
  }
  await expect(page).toHaveURL("/");
  expect(await page.locator("#root").innerText()).toBe(before);
  expect(watch.logs).toEqual([]);
});

test("the navigation leads to new arrivals, best sellers, deals and brands", async ({ page }) => {
  await open(page, "/");
  for (const [name, path] of [
    ["New Arrivals", "/new-arrivals"],
    ["Best Sellers", "/best-sellers"],
    ["Deals", "/deals"],
    ["Brands", "/brands"],
  ] as const) {
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });
    await link.click();
    await expect(page).toHaveURL(path);
    await expect(heading(page)).toHaveText(name);
    await expect(link).toHaveAttribute("aria-current", "page");
  }
});

test("the theme switch is remembered", async ({ page }) => {
  await open(page, "/");
  const banner = page.getByRole("banner");
  await banner.getByRole("button", { name: "Switch to dark theme" }).click();
  await page.reload();
  await expect(banner.getByRole("button", { name: "Switch to light theme" })).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
});
