import { expectHydratedAsRendered, expectUnchangedByHydration } from "../support/hydration";
import { expectFewRegions } from "../support/liveRegions";
import { heading, hydrated, resize, sidewaysScroll, WIDTHS } from "../support/page";
import { recordViolations } from "../support/policy";
import { findProduct } from "../support/products";
import { ROUTES } from "../support/routes";
import { expect, test } from "../support/test";
import { awning, recordRequests, repeatedNames } from "../support/visit";

// One visit of each kind of page, for everything that needs no more than a look.
for (const route of ROUTES) {
  test.describe(route.path, () => {
    test("opens with its status, title and heading, and again the same", async ({ page, context, shop, shopName, watch }) => {
      if (route.status !== 200) watch.expectStatus(route.status, 2);
      const violations = await recordViolations(context);
      const { methods, hosts } = recordRequests(page, shopName);
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

      await test.step("has a header and a footer, its parts are told apart, and no link leads nowhere", async () => {
        await expect(page.getByRole("banner")).toBeVisible();
        await expect(page.getByRole("contentinfo")).toBeVisible();
        await expect(page.locator('a:not([href]), a[href="#"], a[href=""]')).toHaveCount(0);
        await expectFewRegions(page, route.path);
        expect(await repeatedNames(page), "names of several controls of a form").toEqual([]);
      });
      await test.step("fits into the window", async () => {
        for (const width of WIDTHS) {
          await resize(page, width);
          expect(await sidewaysScroll(page), `scrolls sideways at ${width} px`).toBe(0);
        }
        // Also in a low window, where the header does not stay.
        for (const height of [360, 800]) {
          await resize(page, 740, height);
          const { away, size } = await awning(page);
          // The height of the header is rounded.
          expect(away, `the awning away from the header in a window ${height} px high`).toBeLessThan(1);
          expect(size, `the awning in a window ${height} px high`).toBeGreaterThan(0);
        }
        await resize(page, 1280, 900);
      });
      expect(violations, "of the content security policy").toEqual([]);
      expect([...methods]).toEqual(["GET"]);
      expect([...hosts], "nobody else is asked").toEqual([new URL(page.url()).host]);
      expect(await context.cookies()).toEqual([]);

      await test.step("is hydrated as the browser renders it", () => expectHydratedAsRendered(page, route.path, first));
    });
  });
}
