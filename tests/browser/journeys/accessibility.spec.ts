import { findings } from "../support/findings";
import { open } from "../support/page";
import { ROUTES, TEMPLATES } from "../support/routes";
import { andMore, expect, MORE, test } from "../support/test";

for (const { path, status } of ROUTES) {
  test.describe(path, { tag: TEMPLATES.includes(path) ? [] : MORE }, () => {
    test("axe finds nothing on any page, in both themes", async ({ page, watch }) => {
      if (status !== 200) watch.expectStatus(status);
      await open(page, path);
      expect(await findings(page)).toEqual([]);
    });
  });
}

test("axe finds nothing with the category menu open", async ({ page }) => {
  await open(page, "/categories");
  await page.getByRole("button", { name: "All Categories" }).click();
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("list")).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("axe finds nothing with the mobile menu open", async ({ page }) => {
    await open(page, "/categories");
    await page.getByLabel("Menu", { exact: true }).click();
    await expect(page.getByRole("navigation", { name: "Mobile" })).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });

  test("axe finds nothing with the filter dialog open", async ({ page }) => {
    await open(page, "/products?category=beauty&rating=3");
    await page.getByRole("button", { name: /^Filters/ }).click();
    await expect(page.getByRole("dialog", { name: "Filters" })).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });

  for (const path of ["/", "/product/1"]) {
    test.describe(path, { tag: path === "/" ? [] : MORE }, () => {
      test("axe finds nothing at 360 px", async ({ page }) => {
        await open(page, path);
        expect(await findings(page)).toEqual([]);
      });
    });
  }
});

test("every control is at least 24 px high and wide", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of andMore(["/products", "/product/1", "/categories"], ["/", "/brands"])) {
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
