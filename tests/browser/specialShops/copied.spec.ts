import type { Page } from "@playwright/test";
import { heading, open } from "../support/page";
import { expect, test } from "../support/test";

test.use({ shopName: "copied" });

const COPIES = [160, 320, 480, 800, 1600];
/** An address of a copy: the product's key with the picture's number and the hash of its address, and the width. */
const COPY = /^\/pictures\/(p\d+\/\d+-[0-9a-f]{16})-(\d+)\.webp$/;

interface Shown {
  /** What the browser chose. */
  path: string;
  /** How wide it is shown, in pixels of the screen. */
  wide: number;
}

/** Every picture in sight of a shopper who scrolls through the main part, once it is loaded. */
async function shown(page: Page): Promise<Shown[]> {
  const pictures = page.getByRole("main").locator("img:visible");
  const all: Shown[] = [];
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
    all.push(await picture.evaluate((image: HTMLImageElement) => ({
      path: new URL(image.currentSrc).pathname,
      // A photograph is cut at its sides to fill a square.
      wide: image.clientWidth * devicePixelRatio,
    })));
  }
  return all;
}

/** The narrowest copy that has all pixels that are shown, and the one below if hardly any are missing, as browsers choose. */
function sensible(wide: number): number[] {
  const enough = COPIES.findIndex((copy) => copy >= wide);
  const below = COPIES[enough - 1] ?? Infinity;
  return [COPIES[enough] ?? 1600, ...(below * 1.3 >= wide ? [below] : [])];
}

/** The pictures whose copy does not fit. A browser takes a copy that it has already: one that fits where the page shows the same picture. */
function wrong(pictures: readonly Shown[]): Shown[] {
  return pictures.filter(({ path }) => {
    const [, picture, width] = COPY.exec(path) ?? [];
    const same = pictures.filter((other) => COPY.exec(other.path)?.[1] === picture);
    return picture === undefined || !same.flatMap(({ wide }) => sensible(wide)).includes(Number(width));
  });
}

/** Waits for every copy, so that no picture is sent as it is because the machine is busy. */
test.beforeAll(async ({ shop }) => {
  for (const product of ["p0", "p1", "p2", "p3", "p4", "p5"]) {
    const page = await (await fetch(`${shop.address}/product/${product}`)).text();
    const copies = new Set(page.match(new RegExp(`/pictures/${product}/\\d+-[0-9a-f]{16}-`, "g")));
    expect(copies.size, product).toBe(2);
    for (const copy of copies) {
      await expect.poll(async () => (await fetch(`${shop.address}${copy}1600.webp`, { redirect: "manual" })).status).toBe(200);
    }
  }
});

for (const [width, height, deviceScaleFactor] of [[360, 740, 3], [768, 1024, 2], [1280, 900, 1], [1920, 1080, 1]] as const) {
  test.describe(`at ${width} px with a density of ${deviceScaleFactor}`, () => {
    test.use({ viewport: { width, height }, deviceScaleFactor });

    for (const path of ["/", "/products", "/product/p0"]) {
      test(`pictures of another host on ${path} come as copies that fit, from the shop`, async ({ page, shop }) => {
        const hosts = new Set<string>();
        const answers = new Set<string>();
        page.on("request", (request) => hosts.add(new URL(request.url()).host));
        page.on("response", (response) => {
          if (response.url().includes("/pictures/")) answers.add(`${response.status()} ${response.headers()["content-type"] ?? ""}`);
        });
        await open(page, path);
        await expect(heading(page)).toBeVisible();
        const pictures = await shown(page);
        expect(pictures.length).toBeGreaterThan(3);
        expect(wrong(pictures)).toEqual([]);
        expect([...hosts]).toEqual([new URL(shop.address).host]);
        expect([...answers]).toEqual(["200 image/webp"]);
      });
    }
  });
}
