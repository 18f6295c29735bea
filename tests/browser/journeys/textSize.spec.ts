import { chromium } from "@playwright/test";
import { open, resize, sidewaysScroll, WIDTHS } from "../support/page";
import { ROUTES, TEMPLATES } from "../support/routes";
import { expect, isAll, MORE, test } from "../support/test";
import { Watch } from "../support/watch";

/** Longer words may break. */
const LONGEST_WORD = 14;
const HIGHEST_HEADER = 420;

/** What large text has spoilt: broken words, selects that show too little, and parts beyond the window's edge. */
function spoilt(longest: number): string[] {
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true }) && element.clientWidth !== 1;
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const element = text.parentElement;
    if (element?.closest("h1, h2, h3, a, button, .Price") == null || element.closest(".visually-hidden, svg, noscript") !== null) continue;
    if (!isSeen(element)) continue;
    for (const { 0: word, index } of (text.nodeValue ?? "").matchAll(/[\p{L}\p{N}$.,]+/gu)) {
      if (word.length > longest) continue;
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (range.getClientRects().length > 1) found.push(`broken: ${word} in ${element.className}`);
    }
  }
  for (const select of document.querySelectorAll("select")) {
    if (!isSeen(select)) continue;
    const { paddingLeft, paddingRight, font } = getComputedStyle(select);
    const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const canvas = document.createElement("canvas").getContext("2d");
    if (canvas === null) continue;
    canvas.font = font;
    if (room < canvas.measureText(select.selectedOptions[0]?.text.slice(0, 4) ?? "").width) found.push(`too narrow: ${select.id}`);
  }
  for (const element of document.querySelectorAll("h1, h2, h3, a, button, input, select, .Price")) {
    const isCut = element.closest(".ProductShelf-row, .ListingPage-tools, dialog, .visually-hidden, .GalleryTrack, [popover], .SkipLink") !== null;
    if (isCut || !isSeen(element)) continue;
    const { right, left } = element.getBoundingClientRect();
    if (right > document.documentElement.clientWidth + 1 || left < -1) found.push(`outside: ${element.className}`);
  }
  return found;
}

// WCAG 1.4.4: text can be twice as large without loss of content.
// What fits at 200 % hardly ever breaks at less.
for (const percent of [100, 150, 200]) {
  const tag = percent === 200 ? [] : MORE;
  test(`with the browser's text at ${percent} % no page scrolls sideways and words stay whole`, { tag }, async ({ shop }) => {
    const { launchOptions } = test.info().project.use;
    const size = `--blink-settings=defaultFontSize=${(16 * percent) / 100}`;
    const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions?.args ?? []), size] });
    const context = await browser.newContext({ baseURL: shop.address, reducedMotion: "reduce" });
    const watch = new Watch(context);
    watch.expectStatus(404, "some");
    const page = await context.newPage();
    for (const { path } of ROUTES.filter((route) => isAll || TEMPLATES.includes(route.path))) {
      await open(page, path);
      for (const width of WIDTHS) {
        await resize(page, width);
        expect(await sidewaysScroll(page), `${path} at ${width} px`).toBe(0);
        // Only larger text can spoil something.
        if (percent > 100) expect(await page.evaluate(spoilt, LONGEST_WORD), `${path} at ${width} px`).toEqual([]);
        expect((await page.getByRole("banner").boundingBox())?.height, `${path} at ${width} px`).toBeLessThanOrEqual(HIGHEST_HEADER);
        const name = page.getByRole("banner").getByRole("link", { name: "Vitrine, home" }).locator("span");
        const lines = await name.evaluate((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return { count: range.getClientRects().length, size: getComputedStyle(element).fontSize };
        });
        expect(lines.count, `lines of the shop's name at ${width} px`).toBe(1);
        // The setting has reached the page.
        expect(Number.parseFloat(lines.size)).toBeGreaterThanOrEqual((20 * percent) / 100);
        const ends = await page.getByRole("banner").getByRole("button").filter({ visible: true }).evaluateAll((all) =>
          all.map((control) => control.getBoundingClientRect().right),
        );
        expect(Math.max(...ends), `the controls of the header at ${width} px end in the window`).toBeLessThanOrEqual(width + 1);
      }
    }
    watch.verify();
    await browser.close();
  });
}
