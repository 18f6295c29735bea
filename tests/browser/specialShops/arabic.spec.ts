import { open, resize } from "../support/page";
import { expect, test } from "../support/test";
import { testLanguage } from "../support/testLanguage";

test.use({ shopName: "arabic" });

testLanguage("ar", "rtl");

test("goes through pictures from right to left", async ({ page }) => {
  await open(page, "/product/3");
  const gallery = page.getByRole("group", { name: "صور المنتج" });
  const status = gallery.getByRole("status");
  const next = gallery.getByRole("button", { name: "الصورة التالية" });
  await expect(status).toHaveText("صورة 1 من 3");
  const [left, right] = await Promise.all([next, gallery.getByRole("button", { name: "الصورة السابقة" })].map((step) => step.boundingBox()));
  expect(left?.x).toBeLessThan(right?.x ?? 0);
  await next.click();
  await expect(status).toHaveText("صورة 2 من 3");
  const track = gallery.locator(".GalleryTrack");
  await expect.poll(() => track.evaluate((element) => Math.round(element.scrollLeft / element.clientWidth))).toBe(-1);
  await gallery.locator(".GalleryStage[tabindex='0']").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(status).toHaveText("صورة 3 من 3");
  await page.keyboard.press("ArrowRight");
  await expect(status).toHaveText("صورة 2 من 3");
  // A swipe.
  await track.evaluate((element) => { element.scrollTo({ left: 0 }); });
  await expect(status).toHaveText("صورة 1 من 3");
});

test("opens the filters at the right edge, and counts in the form that a number takes", async ({ page }) => {
  await open(page, "/products");
  await resize(page, 360);
  await page.getByRole("button", { name: /^التصفية/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  const box = await dialog.boundingBox();
  // Beside the room that the scroll bar keeps.
  const edge = await page.evaluate(() => document.body.getBoundingClientRect().right);
  expect(Math.round((box?.x ?? 0) + (box?.width ?? 0))).toBe(edge);
  await expect(dialog.getByText("60 منتجًا", { exact: true })).toBeVisible();
});
