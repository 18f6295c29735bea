import type { Page } from "@playwright/test";
import { findings } from "../support/findings";
import { heading, open, resize, sidewaysScroll } from "../support/page";
import { expect, test } from "../support/test";

const PATHS = ["/", "/products", "/products?stock=1&rating=3", "/categories", "/brands", "/product/3", "/product/1", "/search/qqqq", "/missing"];
const WIDTHS = [360, 1280];

for (const [shopName, language, direction] of [["german", "de", ""], ["arabic", "ar", "rtl"]] as const) {
  test.describe(`a ${shopName} shop`, () => {
    test.use({ shopName });

    test("is in its language and direction, and fits into windows of 360 and 1280 pixels", async ({ page, watch }) => {
      watch.expectStatus(404, "some");
      for (const path of PATHS) {
        await open(page, path);
        expect(await page.evaluate(() => [document.documentElement.lang, document.dir])).toEqual([language, direction]);
        for (const width of WIDTHS) {
          await resize(page, width);
          expect(await sidewaysScroll(page), `${path} at ${width} px`).toBe(0);
        }
      }
    });

    test("has no axe findings, in both themes", async ({ page }) => {
      for (const path of ["/", "/products", "/product/3"]) {
        await open(page, path);
        expect(await findings(page), path).toEqual([]);
      }
    });
  });
}

test.describe("a German shop", () => {
  test.use({ shopName: "german" });

  test("says what the shopper does in German, also on pages that the client loads", async ({ page }) => {
    await open(page, "/");
    await page.getByRole("banner").getByRole("searchbox", { name: "Artikel suchen" }).fill("Tischleuchte 3");
    await page.keyboard.press("Enter");
    await expect(heading(page)).toHaveText("Suchergebnisse für „Tischleuchte 3“");
    await page.getByRole("link", { name: "Tischleuchte 3", exact: true }).click();
    await expect(page.getByRole("group", { name: "Artikelbilder" }).getByRole("status")).toHaveText("Bild 1 von 3");
    await page.getByRole("button", { name: "Merken", exact: true }).click();
    await expect(page.getByText("Notiert. Dieser Shop führt keine Merkliste.", { exact: true })).toBeVisible();
  });
});

test.describe("an Arabic shop", () => {
  test.use({ shopName: "arabic" });

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
    expect(Math.round((box?.x ?? 0) + (box?.width ?? 0))).toBe(360);
    await expect(dialog.getByText("60 منتجًا", { exact: true })).toBeVisible();
  });
});

/**
 * The texts that the page shows or that assistive technology says and that have Latin letters outside of brackets. A text
 * with elements in it is several texts, which together have both brackets.
 */
async function outsideBrackets(page: Page): Promise<string[]> {
  const [attributes, texts] = await page.evaluate(() => {
    const attributes: string[] = [document.title];
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ["aria-label", "aria-valuetext", "alt", "placeholder", "title"]) attributes.push(node.getAttribute(name) ?? "");
      } else if (node.parentElement?.closest("script, style, noscript") === null) texts.push(node.textContent ?? "");
    }
    return [attributes, texts] as const;
  });
  return [...attributes, texts.join("\n")].flatMap((text) => {
    let rest = text;
    for (let before = ""; before !== rest; rest = rest.replace(/⟦[^⟦⟧]*⟧/g, "")) before = rest;
    return rest.match(/.*[A-Za-z⟦⟧].*/g) ?? [];
  });
}

test.describe("a shop whose texts stand in brackets", () => {
  test.use({ shopName: "bracketed" });

  for (const path of PATHS) {
    test(`has no other texts of the program on ${path} once the client is there`, async ({ page, watch }) => {
      watch.expectStatus(404, "some");
      await open(page, path);
      expect(await outsideBrackets(page)).toEqual([]);
    });
  }

  test("has no other texts in what shoppers open and do", async ({ page }) => {
    await open(page, "/products");
    await page.locator(".CategoryMenu-trigger").click();
    await page.locator(".SearchBox-input").fill("Λάμ");
    await expect(page.getByRole("option").nth(2)).toBeVisible();
    expect(await outsideBrackets(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await resize(page, 360);
    await page.locator(".FilterPanel-button").click();
    await page.locator(".FilterPanel-foot").waitFor();
    expect(await outsideBrackets(page)).toEqual([]);
    await page.locator("dialog .FilterOption").last().click();
    await page.locator(".FilterChips-chip").first().waitFor({ state: "attached" });
    expect(await outsideBrackets(page)).toEqual([]);
  });

  test("has no other texts on a product that is used and a page that fails", async ({ page, watch }) => {
    await open(page, "/product/3");
    for (const button of await page.locator(".ProductActions .button").all()) {
      await button.click();
      expect(await outsideBrackets(page)).toEqual([]);
    }
    await page.locator(".GalleryStage").first().click();
    expect(await outsideBrackets(page)).toEqual([]);
    await open(page, "/product/4");
    await expect(page.locator(".RecentlyViewed")).toBeVisible();
    expect(await outsideBrackets(page)).toEqual([]);
    watch.expectStatus(503, "some");
    await page.route("**/_data/**", (route) => route.fulfill({ status: 503, body: "" }));
    await page.locator(".Footer-link").first().click();
    await expect(page.locator(".ErrorPage")).toBeVisible();
    expect(await outsideBrackets(page)).toEqual([]);
  });
});
