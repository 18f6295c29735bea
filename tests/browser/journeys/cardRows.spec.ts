import type { Page } from "@playwright/test";
import { cards, open, openStopped, resize, WIDTHS } from "../support/page";
import { andMore, expect, test } from "../support/test";

/** The parts of a card below its picture that stand at one height in a row. */
const PARTS = ["ProductCard-title", "StarRating", "Price", "AddButton"];

/** The tops of the parts of each card, row by row, rounded to half pixels. */
function rows(page: Page): Promise<number[][][]> {
  return cards(page).evaluateAll((all, parts) => {
    const byTop = new Map<number, number[][]>();
    for (const card of all) {
      const row = Math.round(card.getBoundingClientRect().top);
      const tops = parts.map((part) => {
        const top = card.getElementsByClassName(part).item(0)?.getBoundingClientRect().top ?? NaN;
        return Math.round(2 * top) / 2;
      });
      byTop.set(row, [...(byTop.get(row) ?? []), tops]);
    }
    return [...byTop.values()];
  }, PARTS);
}

test("titles, stars, prices and buttons of a row stand at one height", async ({ page }) => {
  await open(page, "/products");
  // Every third card has a title of several lines; others have no brand or no discount.
  await cards(page).evaluateAll((all) => {
    const links = all.map((card) => card.querySelector(".ProductCard-link"));
    for (const [index, link] of links.entries()) {
      if (index % 3 === 0 && link !== null) link.textContent = "A title that takes more than a single line in every window";
    }
  });
  for (const width of [...WIDTHS, 1920]) {
    await resize(page, width);
    for (const row of await rows(page)) {
      for (const tops of row) {
        expect(tops.every(Number.isFinite)).toBe(true);
        // Less than a pixel, which is how the browser rounds.
        const apart = tops.map((top, part) => Math.abs(top - (row[0]?.[part] ?? NaN)));
        expect(Math.max(...apart), `${width} px`).toBeLessThan(1);
      }
    }
  }
});

test("nothing shares the line of a price", async ({ page }) => {
  for (const path of ["/", "/products"]) {
    await open(page, path);
    for (const width of [...WIDTHS, 1920]) {
      await resize(page, width);
      const beside = await cards(page).evaluateAll((all) =>
        all.filter((card) => {
          const price = card.getElementsByClassName("Price").item(0)?.getBoundingClientRect();
          const rest = [...card.querySelectorAll(".ProductCard-stock, .AddButton")];
          return price === undefined || rest.some((part) => part.getBoundingClientRect().top < price.bottom);
        }).length,
      );
      expect(beside, `${path} at ${width} px`).toBe(0);
    }
  }
});

// The narrowest cards are those of a listing on a phone.
for (const path of ["/", "/products"]) {
  test(`a button that says that it is adding moves nothing on ${path}`, async ({ page }) => {
    await openStopped(page, path);
    for (const width of andMore([320, 1280], [360, 768, 1920])) {
      // `resize` would wait for frames, which do not come while the clock stands.
      await page.setViewportSize({ width, height: 800 });
      for (const card of [cards(page).nth(1), cards(page).nth(8)]) {
        const places = () => card.locator(".Price, .AddButton").evaluateAll((all) => all.map((part) => Math.round(part.getBoundingClientRect().top + scrollY)));
        const height = () => page.evaluate(() => document.documentElement.scrollHeight);
        const before = [await places(), await height()];
        const button = card.getByRole("button", { name: /^Add/ });
        await button.click();
        await expect(button).toHaveText(/^Adding/);
        expect([await places(), await height()], `${width} px`).toEqual(before);
        await page.clock.runFor(3_000);
      }
    }
  });
}

/** How far the title of each card is below its picture, and the brand below the title. */
async function gaps(page: Page): Promise<{ above: number; brand: number | undefined }[]> {
  return cards(page).evaluateAll((all) =>
    all.map((card) => {
      const part = (name: string) => card.getElementsByClassName(name).item(0)?.getBoundingClientRect();
      const [media, title, brand] = [part("ProductCard-media"), part("ProductCard-title"), part("ProductCard-brand")];
      if (media === undefined || title === undefined) throw new Error("A card has no picture or no title");
      return { above: Math.round(title.top - media.bottom), brand: brand && Math.round(brand.top - title.bottom) };
    }),
  );
}

test("cards fill the window, without a hole above a title, and with buttons that are large enough for a thumb", async ({ page }) => {
  await open(page, "/products");
  for (const [width, columns] of [[360, 2], [768, 3], [1280, 4], [1800, 5], [1920, 5]] as const) {
    await resize(page, width);
    for (const row of (await rows(page)).slice(0, 2)) expect(row, `${width} px`).toHaveLength(columns);
    const header = await page.getByRole("banner").locator(".container").filter({ visible: true }).last().boundingBox();
    const content = await page.getByRole("main").locator(".container").first().boundingBox();
    expect(content?.x, `${width} px`).toBe(header?.x);

    // Some cards have a brand, and some have none.
    const found = await gaps(page);
    expect(new Set(found.map(({ above }) => above)), `${width} px`).toEqual(new Set([12]));
    expect(new Set(found.map(({ brand }) => brand)), `${width} px`).toEqual(new Set([4, undefined]));

    const small = await page.locator(".WishlistButton, .AddButton").evaluateAll((all) =>
      all.filter((button) => {
        const box = button.getBoundingClientRect();
        return box.width < 44 || box.height < 44;
      }).length,
    );
    expect(small, `${width} px`).toBe(0);
  }
});

test("a discount is a tag on the picture", async ({ page }) => {
  await open(page, "/sale");
  for (const width of WIDTHS) {
    await resize(page, width);
    const outside = await cards(page).evaluateAll((all) =>
      all.flatMap((card) => {
        const media = card.querySelector(".ProductCard-media")?.getBoundingClientRect();
        const heart = card.querySelector(".WishlistButton")?.getBoundingClientRect();
        const tag = card.querySelector(".Price-off");
        if (media === undefined || heart === undefined || tag === null) return [];
        const { left, right, top, bottom } = tag.getBoundingClientRect();
        const inside = left >= media.left && right <= heart.left && top >= media.top && bottom <= media.bottom;
        return inside ? [] : [card.textContent];
      }),
    );
    expect(outside, `${width} px`).toEqual([]);
  }
  await expect(cards(page).first().getByText(/^\d+% off$/)).toBeVisible();
});

/** Real titles, the noun of each at its end. */
const LONG_TITLES = [
  "Essence Mascara Lash Princess",
  "Eyeshadow Palette with Mirror",
  "Black & Brown Slipper",
  "Chanel Coco Noir Eau De Toilette",
  "Annibale Colombo Luxury Sofa",
  "Bedside Table African Cherry",
  "Wooden Bathroom Sink With Mirror",
  "Decoration Swing",
  "Asus Zenbook Pro Dual Screen Laptop",
  "New DELL XPS 13 9300 Laptop",
  "Man Short Sleeve Shirt",
  "Nike Air Jordan 1 Red And Black",
  "Puma Future Rider Trainers",
  "Longines Master Collection Watch",
  "Apple iPhone Charger Cable",
  "Vaseline Men Body and Face Lotion",
];

test("long titles keep their last word", async ({ page }) => {
  await open(page, "/products");
  await cards(page).evaluateAll((all, titles) => {
    for (const [index, title] of titles.entries()) {
      const link = all[index]?.querySelector(".ProductCard-link");
      if (link) link.textContent = title;
    }
  }, LONG_TITLES);
  for (const width of [...WIDTHS, 1920]) {
    await resize(page, width);
    const cut = await page.locator(".ProductCard-link").evaluateAll(
      (links, count) => links.slice(0, count).filter((link) => link.scrollHeight > link.clientHeight + 1).map((link) => link.textContent),
      LONG_TITLES.length,
    );
    expect(cut, `${width} px`).toEqual([]);
  }
});

test("a picture that is missing leaves a plate in the tint of its category", async ({ page, watch }) => {
  watch.expect(/Failed to load resource/, "some");
  await page.route("**", (route) => (route.request().resourceType() === "image" ? route.fulfill({ status: 404 }) : route.fallback()));
  await open(page, "/category/beauty");
  const plate = cards(page).first().locator(".ProductImage");
  await expect(plate.locator(".ProductImage-placeholder")).toHaveAttribute("aria-hidden", "true");
  await expect(plate).toHaveClass(/\btint-[0-7]\b/);
  const title = await cards(page).first().getByRole("heading").innerText();
  const drawn = await plate.locator(".ProductImage-placeholder").evaluate((element) => getComputedStyle(element, "::after").content);
  expect(drawn).toBe(`"${title.charAt(0)}"`);
  const ground = (element: Element) => getComputedStyle(element).backgroundColor;
  const beauty = await plate.evaluate(ground);
  await open(page, "/category/furniture");
  expect(await cards(page).first().locator(".ProductImage").evaluate(ground)).not.toBe(beauty);
});
