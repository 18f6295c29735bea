import { chromium } from "@playwright/test";
import { open, resize, sidewaysScroll, WIDTHS } from "../support/page";
import { expect, test } from "../support/test";
import { Watch } from "../support/watch";

const PATHS = ["/", "/categories", "/brands", "/products", "/product/1", "/no/such/page"];

// WCAG 1.4.4: text can be twice as large without loss of content.
for (const percent of [100, 150, 200]) {
  test(`with the browser's text at ${percent} % no page scrolls sideways and the shop's name stays whole`, async ({ shop }) => {
    const { launchOptions } = test.info().project.use;
    const size = `--blink-settings=defaultFontSize=${(16 * percent) / 100}`;
    const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions?.args ?? []), size] });
    const context = await browser.newContext({ baseURL: shop.address, reducedMotion: "reduce" });
    const watch = new Watch(context);
    watch.expectStatus(404);
    const page = await context.newPage();
    for (const path of PATHS) {
      await open(page, path);
      for (const width of WIDTHS) {
        await resize(page, width);
        expect(await sidewaysScroll(page), `${path} at ${width} px`).toBe(0);
        const name = page.getByRole("banner").getByRole("link", { name: "Vitrine, home" }).locator("span");
        const lines = await name.evaluate((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return { count: range.getClientRects().length, size: getComputedStyle(element).fontSize };
        });
        expect(lines.count, `lines of the shop's name at ${width} px`).toBe(1);
        // The setting has reached the page.
        expect(Number.parseFloat(lines.size)).toBeGreaterThanOrEqual((20 * percent) / 100);
        for (const control of await page.getByRole("banner").getByRole("button").filter({ visible: true }).all()) {
          const box = await control.boundingBox();
          expect(box === null || box.x + box.width <= width + 1, `a control of the header at ${width} px is in the window`).toBe(true);
        }
      }
    }
    watch.verify();
    await browser.close();
  });
}
