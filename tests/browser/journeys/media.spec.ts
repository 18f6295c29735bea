import { heading, open } from "../support/page";
import { expect, test } from "../support/test";

const PAGES = ["/", "/categories", "/products?category=beauty&rating=2", "/product/1"];

test("a printed page is its content, without what can only be used on a screen", async ({ page }) => {
  for (const path of PAGES) {
    await open(page, path);
    await page.emulateMedia({ media: "print" });
    await expect(heading(page)).toBeVisible();
    await expect(page.getByRole("link", { name: "Vitrine, home" })).toBeVisible();
    for (const control of [
      page.getByRole("navigation", { name: "Main" }),
      page.getByRole("contentinfo"),
      page.locator("button, form, select, .button"),
    ]) {
      await expect(control.filter({ visible: true }), path).toHaveCount(0);
    }
    await page.emulateMedia({ media: "screen" });
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  }
});

test("paper is light in the dark theme, too", async ({ page }) => {
  await open(page, "/products");
  const ink = () => page.getByRole("article").first().getByRole("heading").evaluate((title) => getComputedStyle(title).color);
  const light = await ink();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(ink).not.toBe(light);
  await page.emulateMedia({ media: "print" });
  await expect.poll(ink).toBe(light);
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.getByRole("button", { name: "Switch to dark theme" }).click();
  await expect.poll(ink).not.toBe(light);
  await page.emulateMedia({ media: "print" });
  await expect.poll(ink).toBe(light);
});

test("forced colours show which page and which picture is the current one", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open(page, "/deals");
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" });
  expect(await link.evaluate((element) => getComputedStyle(element, "::after").backgroundColor)).not.toBe(ground);
  // A product of the sample with several pictures.
  await open(page, "/product/6");
  const edges = await page.getByRole("button", { name: /^Show image/ }).evaluateAll((all) =>
    all.map((choice) => getComputedStyle(choice).borderTopColor),
  );
  expect(edges.length).toBeGreaterThan(1);
  expect(edges[0]).not.toBe(ground);
  expect(new Set(edges.slice(1))).toEqual(new Set([ground]));
});
