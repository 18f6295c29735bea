import type { Page } from "@playwright/test";
import { gate, heading, open } from "../support/page";
import { expect, test } from "../support/test";

/** Holds back the data of a page; the returned function lets it go. */
async function holdBack(page: Page, data: RegExp): Promise<() => void> {
  const { opened, open: release } = gate();
  await page.route(data, async (route) => {
    await opened;
    await route.continue();
  });
  return release;
}

test("a listing that is being loaded shows 6 cards in outline", async ({ page }) => {
  await open(page, "/");
  const release = await holdBack(page, /\/_data\/best-sellers/);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Best Sellers" }).click();
  const skeleton = page.getByRole("status").filter({ hasText: "Loading products" });
  await expect(skeleton).toBeVisible();
  await expect(skeleton.locator(".ListingSkeleton-card")).toHaveCount(6);
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
  release();
  await expect(heading(page)).toHaveText("Best Sellers");
  await expect(skeleton).toHaveCount(0);
});

test("a product that is being loaded shows a spinner", async ({ page }) => {
  await open(page, "/");
  const release = await holdBack(page, /\/_data\/product\//);
  const link = page.getByRole("article").first().getByRole("link");
  const title = await link.innerText();
  await link.click();
  const spinner = page.getByRole("status").filter({ hasText: "Loading product" });
  await expect(spinner).toBeVisible();
  release();
  await expect(heading(page)).toHaveText(title);
  await expect(spinner).toHaveCount(0);
});

test("other pages keep what is shown, under a progress bar, while the next is loaded", async ({ page }) => {
  await open(page, "/");
  const release = await holdBack(page, /\/_data\/categories/);
  await page.getByRole("main").getByRole("link", { name: /^View all.*categor/i }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Loading$/ })).toBeVisible();
  await expect(heading(page)).toHaveText("Summer Sale Up to 50% off");
  release();
  await expect(heading(page)).toHaveText("Categories");
});
