import type { Page } from "@playwright/test";
import { expectFewRegions } from "../support/liveRegions";
import { open, resize, sidewaysScroll, WIDTHS } from "../support/page";
import { ROUTES } from "../support/routes";
import { expect, test } from "../support/test";

/** The names of controls that another control of their form has, too. */
async function repeatedNames(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.forms].flatMap((form) => {
      const controls = [...form.elements].filter((element) => element.matches("input:not([type=hidden]), select, button"));
      const names = controls.map((element) => {
        const { ariaLabel, labels, textContent } = element as HTMLInputElement;
        return (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim();
      });
      return names.filter((name, index) => names.indexOf(name) !== index);
    }),
  );
}

/** How high the awning is, and how far it is away from the lower edge of the header. */
async function awning(page: Page): Promise<{ away: number; size: number }> {
  return page.getByRole("banner").evaluate((header) => {
    // The element that the awning is placed against, as the browser resolves it.
    const { insetBlockStart, blockSize } = getComputedStyle(header, "::after");
    const isPlacedHere = getComputedStyle(header).position !== "static";
    const top = isPlacedHere ? Number.parseFloat(insetBlockStart) : NaN;
    return { away: Math.abs(top - header.clientHeight), size: Number.parseFloat(blockSize) };
  });
}

// One visit of each kind of page, for everything that needs no more than a look.
test("every page fits into the window, and its parts are told apart", async ({ page, watch }) => {
  for (const { path, status } of ROUTES) {
    await test.step(path, async () => {
      if (status !== 200) watch.expectStatus(status);
      await page.setViewportSize({ width: 1280, height: 900 });
      await open(page, path);
      await expectFewRegions(page, path);
      expect(await repeatedNames(page), `names of several controls of a form on ${path}`).toEqual([]);
      for (const width of WIDTHS) {
        await resize(page, width);
        expect(await sidewaysScroll(page), `${path} scrolls sideways at ${width} px`).toBe(0);
      }
      // Also in a low window, where the header does not stay.
      for (const height of [360, 800]) {
        await resize(page, 740, height);
        const { away, size } = await awning(page);
        // The height of the header is rounded.
        expect(away, `the awning of ${path} away from the header in a window ${height} px high`).toBeLessThan(1);
        expect(size, `the awning of ${path} in a window ${height} px high`).toBeGreaterThan(0);
      }
    });
  }
});
