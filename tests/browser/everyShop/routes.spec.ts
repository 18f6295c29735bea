import { expectHydratedAsRendered, expectUnchangedByHydration } from "../support/hydration";
import { heading, hydrated, open } from "../support/page";
import { findProduct } from "../support/products";
import { ROUTES } from "../support/routes";
import { expect, MORE, test } from "../support/test";

/** Listings with the template of `/products`. */
const PRESETS = new Set(["/sale", "/new-arrivals", "/best-sellers", "/deals"]);

for (const route of ROUTES) {
  test.describe(route.path, () => {
    test("opens with its status, title and heading, and again the same", async ({ page, shop, watch }) => {
      if (route.status !== 200) watch.expectStatus(route.status, 2);
      const expected = route.heading ?? findProduct(shop.products, ({ id }) => id === 1).title;
      // The home page's categories are drawn at random for each visit.
      const shown = page.locator(route.path === "/" ? "main section:has(article)" : "main");
      const response = await open(page, route.path);
      expect(response.status()).toBe(route.status);
      await expect(page).toHaveTitle(route.title ?? `${expected} | Vitrine`);
      await expect(heading(page)).toHaveText(expected);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);

      const before = await shown.allInnerTexts();
      const title = await page.title();
      await page.reload();
      await hydrated(page);
      expect(await shown.allInnerTexts()).toEqual(before);
      expect(await page.title()).toBe(title);
    });

    test("is not changed by hydration", async ({ page, watch }) => {
      if (route.status !== 200) watch.expectStatus(route.status);
      await expectUnchangedByHydration(page, route.path);
    });

    const tag = PRESETS.has(route.path) ? MORE : [];
    test("is hydrated as the browser renders it", { tag }, async ({ page, watch }) => {
      if (route.status !== 200) watch.expectStatus(route.status);
      await expectHydratedAsRendered(page, route.path);
    });
  });
}
