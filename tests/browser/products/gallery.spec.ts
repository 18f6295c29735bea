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
  const main = gallery.getByRole("button", { name: /^Zoom in on / });
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

test("only the first image is loaded at once", async ({ page, shop }) => {
  const { product, gallery } = await openGallery(page, shop.products);
  const loading = await gallery.locator("img").evaluateAll((all) => all.map((image) => image.getAttribute("loading")));
  // Each image large and as a thumbnail.
  expect(loading).toEqual(["eager", ...Array.from({ length: 2 * product.images.length - 1 }, () => "lazy")]);
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
  await expect(main).toBeFocused();
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

test("the sign says which way the zoom goes, and Escape ends it", async ({ page, shop }) => {
  const { main } = await openGallery(page, shop.products);
  const sign = main.locator(".GalleryStage-hint");
  const drawing = sign.locator("use");
  await expect(drawing).toHaveAttribute("href", "#icon-zoom-in");
  await main.click();
  await expect(main).toHaveAttribute("aria-pressed", "true");
  await expect(drawing).toHaveAttribute("href", "#icon-zoom-out");
  await expect(sign).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(main).toHaveAttribute("aria-pressed", "false");
  await expect(drawing).toHaveAttribute("href", "#icon-zoom-in");
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

  for (const place of ["page", "full screen"]) {
    test(`the image follows the finger, and the next one stays: ${place}`, async ({ page, shop }) => {
      const { product, gallery, main } = await openGallery(page, shop.products);
      if (place === "full screen") await main.tap();
      const within = place === "page" ? gallery : page.getByRole("dialog", { name: /full screen/ });
      const image = (position: number) =>
        within.getByAltText(`${product.title}, image ${position} of ${product.images.length}`).filter({ visible: true }).first();
      const start = await image(1).boundingBox();
      if (start === null) throw new Error("the image has no place");
      const left = async (position: number) => (await image(position).boundingBox())?.x ?? 0;

      const browser = await page.context().newCDPSession(page);
      const y = start.y + start.height / 2;
      const finger = start.x + start.width - 30;
      const moved = (distance: number) => ({ touchPoints: [{ x: finger - distance, y }] });
      await browser.send("Input.dispatchTouchEvent", { type: "touchStart", ...moved(0) });
      // In small steps, because the browser swallows the first one or two, which may still become a tap.
      for (let distance = 10; distance <= 180; distance += 10) {
        await browser.send("Input.dispatchTouchEvent", { type: "touchMove", ...moved(distance) });
      }
      // The finger is still down: both images are in sight, moved by about as much as the finger.
      await expect.poll(() => left(1)).toBeLessThan(start.x - 100);
      expect(await left(1)).toBeGreaterThan(start.x - 200);
      expect(await left(2)).toBeLessThan(start.x + start.width);
      await browser.send("Input.dispatchTouchEvent", { type: "touchMove", ...moved(210) });
      await browser.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      await expect.poll(() => left(2)).toBe(start.x);
      await expect(within.getByRole("status").first()).toHaveText(`Image 2 of ${product.images.length}`);
    });
  }
});
