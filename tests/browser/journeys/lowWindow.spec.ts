import { open } from "../support/page";
import { ROUTES } from "../support/routes";
import { expect, test } from "../support/test";

// A phone on its side. The header scrolls away there, because it would take half of the window.

test("in a low window the header scrolls away with its awning, which hangs below it", async ({ page, watch }) => {
  watch.expectStatus(404, "some");
  for (const height of [360, 800]) {
    await page.setViewportSize({ width: 740, height });
    for (const { path } of ROUTES) {
      await open(page, path);
      const { away, awning } = await page.getByRole("banner").evaluate((element) => {
        // The element that the awning is placed against, as the browser resolves it.
        const { insetBlockStart, blockSize } = getComputedStyle(element, "::after");
        const isPlacedHere = getComputedStyle(element).position !== "static";
        const top = isPlacedHere ? Number.parseFloat(insetBlockStart) : NaN;
        // The height of the header is rounded.
        return { away: Math.abs(top - element.clientHeight), awning: Number.parseFloat(blockSize) };
      });
      expect(away, `${path} at ${height} px`).toBeLessThan(1);
      expect(awning, `${path} at ${height} px`).toBeGreaterThan(0);
    }
  }
  await page.setViewportSize({ width: 740, height: 360 });
  await open(page, "/products");
  await page.evaluate(() => { window.scrollTo(0, 2000); });
  await expect(page.getByRole("banner")).not.toBeInViewport();
  // The focus on a control of the first row moves nothing.
  await page.evaluate(() => { window.scrollTo(0, 0); });
  const top = async () => (await page.getByRole("banner").boundingBox())?.y;
  expect(await top()).toBe(0);
  await page.getByRole("link", { name: "Vitrine, home" }).first().focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  expect(await top()).toBe(0);
});
