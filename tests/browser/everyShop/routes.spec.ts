import { expectHydratedAsRendered, expectUnchangedByHydration } from "../support/hydration";
import { heading, hydrated } from "../support/page";
import { recordViolations } from "../support/policy";
import { findProduct } from "../support/products";
import { ROUTES } from "../support/routes";
import { expect, test } from "../support/test";

for (const route of ROUTES) {
  test.describe(route.path, () => {
    test("opens with its status, title and heading, and again the same", async ({ page, context, shop, watch }) => {
      if (route.status !== 200) watch.expectStatus(route.status, 2);
      const violations = await recordViolations(context);
      const expected = route.heading ?? findProduct(shop.products, ({ id }) => id === 1).title;
      // The home page's categories are drawn at random for each visit.
      const shown = page.locator(route.path === "/" ? "main section:has(article)" : "main");
      const first = await test.step("is not changed by hydration", () => expectUnchangedByHydration(page, route.path));
      expect(first.response.status()).toBe(route.status);
      await expect(page).toHaveTitle(route.title ?? `${expected} | Vitrine`);
      await expect(heading(page)).toHaveText(expected);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);

      const before = await shown.allInnerTexts();
      const title = await page.title();
      await page.reload();
      await hydrated(page);
      expect(await shown.allInnerTexts()).toEqual(before);
      expect(await page.title()).toBe(title);
      expect(violations, "of the content security policy").toEqual([]);

      await test.step("is hydrated as the browser renders it", () => expectHydratedAsRendered(page, route.path, first));
    });
  });
}
