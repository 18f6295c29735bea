import type { Locator, Page } from "@playwright/test";
import { open } from "../support/page";
import { findProduct } from "../support/products";
import type { Product } from "../support/products";
import { expect, test } from "../support/test";

interface Gallery {
  product: Product;
  gallery: Locator;
  main: Locator;
  picture: Locator;
}

async function openGallery(page: Page, products: readonly Product[]): Promise<Gallery> {
  const product = findProduct(products, ({ images }) => images.length >= 3);
  await open(page, `/product/${product.id}`);
  const gallery = page.getByRole("group", { name: "Product images" });
  const main = gallery.getByRole("button", { name: /, zoom$/ });
  return { product, gallery, main, picture: main.locator("img") };
}

test("the gallery shows a main image and a thumbnail of each image", async ({ page, shop }) => {
  const { product, gallery, picture } = await openGallery(page, shop.products);
  await expect(picture).toHaveAttribute("src", product.images[0] ?? "");
  await expect(picture).toHaveAttribute("alt", `${product.title}, image 1 of ${product.images.length}`);
  const thumbnails = gallery.getByRole("button", { name: /^Show image/ });
  await expect(thumbnails).toHaveCount(product.images.length);
  await thumbnails.nth(1).click();
  await expect(picture).toHaveAttribute("src", product.images[1] ?? "");
  await expect(thumbnails.nth(1)).toHaveAttribute("aria-current", "true");
  await expect(gallery.getByRole("status")).toHaveText(`Image 2 of ${product.images.length}`);
});

test("previous, next and the arrow keys go round the images", async ({ page, shop }) => {
  const { product, gallery, main, picture } = await openGallery(page, shop.products);
  const last = product.images.length - 1;
  await gallery.getByRole("button", { name: "Previous image" }).click();
  await expect(picture).toHaveAttribute("src", product.images[last] ?? "");
  await gallery.getByRole("button", { name: "Next image" }).click();
  await expect(picture).toHaveAttribute("src", product.images[0] ?? "");
  await main.focus();
  await page.keyboard.press("ArrowRight");
  await expect(picture).toHaveAttribute("src", product.images[1] ?? "");
  await page.keyboard.press("ArrowLeft");
  await expect(picture).toHaveAttribute("src", product.images[0] ?? "");
});

test("a click zooms in on the main image, and the pointer pans", async ({ page, shop }) => {
  const { main, picture } = await openGallery(page, shop.products);
  await expect(main).toHaveAttribute("aria-pressed", "false");
  const before = await picture.boundingBox();
  await main.click();
  await expect(main).toHaveAttribute("aria-pressed", "true");
  await expect.poll(async () => (await picture.boundingBox())?.width ?? 0).toBeGreaterThan((before?.width ?? 0) * 1.5);
  const box = await main.boundingBox();
  if (box === null) throw new Error("the main image has no place");
  await page.mouse.move(box.x + 20, box.y + 20);
  await expect.poll(async () => (await picture.boundingBox())?.x ?? 0).toBeGreaterThan(box.x - 60);
  await page.mouse.move(box.x + box.width - 20, box.y + 20);
  await expect.poll(async () => (await picture.boundingBox())?.x ?? 0).toBeLessThan(box.x - 200);
  await main.click();
  await expect(main).toHaveAttribute("aria-pressed", "false");
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  test("a tap shows the image over the whole screen", async ({ page, shop }) => {
    const { main } = await openGallery(page, shop.products);
    await main.tap();
    const viewer = page.getByRole("dialog", { name: /full screen/ });
    await expect(viewer).toBeVisible();
    await viewer.getByRole("button", { name: "Next image" }).tap();
    await expect(viewer.getByRole("status")).toHaveText(/^Image 2 of/);
    await viewer.getByRole("button", { name: "Close" }).tap();
    await expect(viewer).toBeHidden();
  });

  test("a swipe moves to the next image", async ({ page, shop }) => {
    const { product, main, picture } = await openGallery(page, shop.products);
    const box = await main.boundingBox();
    if (box === null) throw new Error("the main image has no place");
    const browser = await page.context().newCDPSession(page);
    const y = box.y + box.height / 2;
    const at = (x: number) => ({ touchPoints: [{ x: box.x + x, y }] });
    await browser.send("Input.dispatchTouchEvent", { type: "touchStart", ...at(250) });
    for (const x of [220, 180, 130, 80]) await browser.send("Input.dispatchTouchEvent", { type: "touchMove", ...at(x) });
    await browser.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect(picture).toHaveAttribute("src", product.images[1] ?? "");
  });
});
