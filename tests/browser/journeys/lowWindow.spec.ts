import { open } from "../support/page";
import { expect, test } from "../support/test";

// A phone on its side. The header scrolls away there, because it would take half of the window.
test.use({ viewport: { width: 740, height: 360 } });

// `everyShop/routes.spec.ts` looks at the awning, which hangs below the header.
test("in a low window the header scrolls away", async ({ page }) => {
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
