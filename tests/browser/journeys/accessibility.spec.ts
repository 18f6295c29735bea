import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { open } from "../support/page";
import { ROUTES } from "../support/routes";
import { expect, test } from "../support/test";

/** What axe finds on a page in both themes; `prepare` opens it and what belongs to it. */
async function findings(page: Page, prepare: () => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await prepare();
    const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode().analyze();
    for (const { id, nodes } of violations) {
      for (const { target, failureSummary } of nodes) {
        found.push(`${colorScheme}: ${id}: ${target.join(" ")}: ${failureSummary ?? ""}`);
      }
    }
  }
  return found;
}

/** These are `/products` with other products. */
const ALIKE = ["/sale", "/new-arrivals", "/best-sellers"];

for (const { path, status } of ROUTES.filter((route) => !ALIKE.includes(route.path))) {
  test.describe(path, () => {
    test("axe finds nothing on any page, in both themes", async ({ page, watch }) => {
      if (status !== 200) watch.expectStatus(status, 2);
      expect(await findings(page, () => open(page, path))).toEqual([]);
    });
  });
}

test("axe finds nothing with the category menu open", async ({ page }) => {
  const found = await findings(page, async () => {
    await open(page, "/categories");
    await page.getByRole("button", { name: "All Categories" }).click();
    await expect(page.getByRole("navigation", { name: "Main" }).getByRole("list")).toBeVisible();
  });
  expect(found).toEqual([]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("axe finds nothing with the mobile menu open", async ({ page }) => {
    const found = await findings(page, async () => {
      await open(page, "/categories");
      await page.getByLabel("Menu", { exact: true }).click();
      await expect(page.getByRole("navigation", { name: "Mobile" })).toBeVisible();
    });
    expect(found).toEqual([]);
  });

  test("axe finds nothing with the filter dialog open", async ({ page }) => {
    const found = await findings(page, async () => {
      await open(page, "/products?category=beauty&rating=3");
      await page.getByRole("button", { name: /^Filters/ }).click();
      await expect(page.getByRole("dialog", { name: "Filters" })).toBeVisible();
    });
    expect(found).toEqual([]);
  });

  for (const path of ["/", "/product/1"]) {
    test.describe(path, () => {
      test("axe finds nothing at 360 px", async ({ page }) => {
        expect(await findings(page, () => open(page, path))).toEqual([]);
      });
    });
  }
});

test("every control is at least 24 px high and wide", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ["/", "/products", "/product/1", "/categories", "/brands"]) {
    await open(page, path);
    const small = await page.evaluate(() =>
      Array.from(document.querySelectorAll("a, button, input, select, summary"))
        .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest("label"))
        .filter((control) => {
          const { width, height } = control.getBoundingClientRect();
          // A link in the middle of a card's text covers the whole card.
          const whole = getComputedStyle(control, "::after").position === "absolute";
          return !whole && width > 1 && (width < 24 || height < 24);
        })
        .map((control) => control.outerHTML.slice(0, 120)),
    );
    expect(small, path).toEqual([]);
  }
});
