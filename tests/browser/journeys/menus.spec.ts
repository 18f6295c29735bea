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
