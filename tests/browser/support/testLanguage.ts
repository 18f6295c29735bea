import { findings } from "./findings";
import { open, resize, sidewaysScroll } from "./page";
import { expect, test } from "./test";

/** Every kind of page, in the states that `languages.ts` has products for. */
export const PATHS = ["/", "/products", "/products?stock=1&rating=3", "/categories", "/brands", "/product/3", "/product/1", "/search/qqqq", "/missing"];
const WIDTHS = [360, 1280];

/** The tests of a shop in a language that is written in this direction. */
export function testLanguage(language: string, direction: "" | "rtl"): void {
  test("pages are in the language and its direction, and fit into windows of 360 and 1280 pixels", async ({ page, watch }) => {
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

  test("axe finds nothing, in both themes", async ({ page }) => {
    for (const path of ["/", "/products", "/product/3"]) {
      await open(page, path);
      expect(await findings(page), path).toEqual([]);
    }
  });
}
