import type { Locator, Page } from "@playwright/test";
import { heading, open } from "../support/page";
import { expect, test } from "../support/test";

async function openCategoryMenu(page: Page): Promise<{ trigger: Locator; links: Locator }> {
  const nav = page.getByRole("navigation", { name: "Main" });
  const trigger = nav.getByRole("button", { name: "All Categories" });
  await trigger.click();
  await expect(trigger).toHaveAttribute("aria-expanded", "true");
  return { trigger, links: nav.getByRole("list").getByRole("link") };
}

test("All Categories closes on an outside click", async ({ page }) => {
  await open(page, "/");
  const { trigger, links } = await openCategoryMenu(page);
  await page.mouse.click(1270, 880);
  await expect(trigger).toHaveAttribute("aria-expanded", "false");
  await expect(links.first()).toBeHidden();
});

test("All Categories closes on Escape and gives the focus back", async ({ page }) => {
  await open(page, "/");
  const { trigger, links } = await openCategoryMenu(page);
  await links.nth(4).focus();
  await page.keyboard.press("Escape");
  await expect(links.first()).toBeHidden();
  await expect(trigger).toBeFocused();
});

test("All Categories closes when a category is chosen", async ({ page, watch }) => {
  await open(page, "/");
  const { trigger, links } = await openCategoryMenu(page);
  await links.filter({ hasText: "Furniture" }).click();
  await expect(heading(page)).toHaveText("Furniture");
  await expect(trigger).toHaveAttribute("aria-expanded", "false");
  expect(watch.documents).toHaveLength(1);
});

test("the menu's pictures load when it opens, and its last link leads to all categories", async ({ page }) => {
  const wanted: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/_data/categories")) wanted.push(request.url());
  });
  await open(page, "/offline");
  const nav = page.getByRole("navigation", { name: "Main" });
  await expect(nav.locator(".Plate")).toHaveCount(0);
  expect(wanted).toEqual([]);
  const { links } = await openCategoryMenu(page);
  const pictures = nav.getByRole("list").locator("img");
  await expect(pictures).toHaveCount(await links.count());
  await expect.poll(() => pictures.evaluateAll((all) => all.every((image) => image.clientHeight > 0))).toBe(true);
  // Names stay what the links are called.
  await expect(links.filter({ hasText: "Furniture" })).toHaveAccessibleName("Furniture");
  const last = nav.locator(".CategoryMenu-panel").getByRole("link").last();
  await expect(last).toHaveText(`All ${await links.count()} categories`);
  await page.keyboard.press("Escape");
  await openCategoryMenu(page);
  await expect(pictures).toHaveCount(await links.count());
  expect(wanted).toHaveLength(1);
  await last.click();
  await expect(heading(page)).toHaveText("Categories");
  await expect(links.first()).toBeHidden();
});

test("the menu's plates come a frame after the names, which do not move", async ({ page }) => {
  await open(page, "/offline");
  const { first, later } = await page.evaluate(async () => {
    const panel = document.querySelector(".CategoryMenu-panel");
    const look = () => ({
      plates: panel?.querySelectorAll(".Plate").length,
      places: [...(panel?.querySelectorAll("bdi") ?? [])].map((name) => JSON.stringify(name.getBoundingClientRect())),
    });
    document.querySelector<HTMLElement>(".CategoryMenu-trigger")?.click();
    // React has answered the press by then, and no frame was shown.
    await Promise.resolve();
    const names = look();
    while (panel?.querySelector(".Plate") === null) await new Promise((rested) => setTimeout(rested));
    return { first: names, later: look() };
  });
  expect(first.plates).toBe(0);
  expect(first.places.length).toBeGreaterThan(0);
  expect(later.plates).toBe(first.places.length);
  expect(later.places).toEqual(first.places);
});

test("without pictures the menu has initials", async ({ page, watch }) => {
  watch.expect(/net::ERR_FAILED/, "some");
  await page.route("**/_data/categories", (route) => route.abort("failed"));
  await open(page, "/offline");
  const { links } = await openCategoryMenu(page);
  const furniture = links.filter({ hasText: "Furniture" }).locator(".Plate");
  await expect(furniture).toHaveAttribute("data-initial", "F");
  await expect(furniture.locator("img")).toHaveCount(0);
  await links.filter({ hasText: "Furniture" }).click();
  await expect(heading(page)).toHaveText("Furniture");
});

test.describe("the mobile menu", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("the mobile menu lists the four links and the categories", async ({ page }) => {
    await open(page, "/");
    const links = page.getByRole("navigation", { name: "Mobile" }).getByRole("link");
    await expect(links.first()).toBeHidden();
    await page.getByLabel("Menu", { exact: true }).click();
    await expect(links).toHaveText(["New Arrivals", "Best Sellers", "Deals", "Brands", "Categories"]);
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "/new-arrivals",
      "/best-sellers",
      "/deals",
      "/brands",
      "/categories",
    ]);
    await links.filter({ hasText: "Deals" }).click();
    await expect(heading(page)).toHaveText("Deals");
    await expect(links.first()).toBeHidden();
  });

  test("the mobile menu toggles, and closes on Escape", async ({ page }) => {
    await open(page, "/");
    const toggle = page.getByLabel("Menu", { exact: true });
    const links = page.getByRole("navigation", { name: "Mobile" }).getByRole("link");
    await toggle.click();
    await expect(links.first()).toBeVisible();
    await toggle.click();
    await expect(links.first()).toBeHidden();
    await toggle.press("Enter");
    await expect(links.first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(links.first()).toBeHidden();
    await expect(toggle).toBeFocused();
  });

  test("the mobile menu closes itself at a width of 768 px", async ({ page }) => {
    await open(page, "/");
    const links = page.getByRole("navigation", { name: "Mobile" }).getByRole("link");
    await page.getByLabel("Menu", { exact: true }).click();
    await page.setViewportSize({ width: 767, height: 740 });
    await expect(links.first()).toBeVisible();
    await page.setViewportSize({ width: 768, height: 740 });
    await expect(links.first()).toBeHidden();
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(page.getByLabel("Menu", { exact: true })).toBeVisible();
    await expect(links.first()).toBeHidden();
  });
});
