import type { Page } from "@playwright/test";
import { cards, heading, open, resize, WIDTHS } from "../support/page";
import { expect, MORE, test } from "../support/test";

/** One page of each kind, and further ones whose parts differ. */
const PAGES = ["/", "/category/mens-shirts", "/product/1", "/categories", "/brands", "/offline", "/no/such/page"];
const MORE_PAGES = [
  "/products?rating=4&sort=price-asc&page=2",
  "/sale",
  "/search/no%20such%20thing",
  "/categories?q=no-such-name",
  "/product/999999",
];

const STYLES = /\/assets\/[^/]*\.css$/;
/** The typeface and the client change the page on their own. */
const LATER = /\/assets\/[^/]*\.(woff2|js)$/;

/** Holds the style sheet back, and everything else that would change the page after the first paint. */
async function holdStyles(page: Page): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(STYLES, async (route) => {
    await held;
    await route.continue();
  });
  await page.route(LATER, () => new Promise(() => undefined));
  return release;
}

function hasWholeStyleSheet(): boolean {
  return [...document.styleSheets].some(({ href }) => href !== null);
}

async function firstPaint(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.getElementById("page-data") !== null && performance.getEntriesByName("first-contentful-paint").length > 0,
  );
}

/** Where a page keeps its looks: each list has those of one window and theme. */
type Noting = typeof globalThis & { looks?: string[][] };

/** Notes how every element looks, in every window and theme. The page keeps it, because it is megabytes. */
async function noteLooks(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await resize(page, width);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate((window) => {
        const PROPERTIES = ["display", "visibility", "opacity", "color", "background", "border", "font", "textDecoration",
          "boxShadow", "fill", "stroke", "clipPath"] as const;
        const looks = [...document.querySelectorAll("body, #root *")].flatMap((element, index) => {
          if (!element.checkVisibility()) return [`${window} ${index} is not shown`];
          const { x, y, width: w, height: h } = element.getBoundingClientRect();
          return ["", "::before", "::after"].map((pseudo) => {
            const style = getComputedStyle(element, pseudo);
            if (pseudo !== "" && style.content === "none") return `${window} ${index}${pseudo} is none`;
            // The style sheet asks for the display typeface; its letters are held back.
            const look = PROPERTIES.map((property) => style[property].replace('"Vitrine Display", ', "")).join(" | ");
            return `${window} ${index} ${element.localName}.${element.getAttribute("class") ?? ""}${pseudo}: ${[x, y, w, h].join()} ${look}`;
          });
        });
        ((globalThis as Noting).looks ??= []).push(looks);
      }, `${width} ${colorScheme}`);
    }
  }
}

/** How many looks were noted before and after, and the first ones that differ. */
function comparedLooks() {
  const { looks = [] } = globalThis as Noting;
  const [before, after] = [looks.slice(0, looks.length / 2).flat(), looks.slice(looks.length / 2).flat()];
  const changed = after.flatMap((look, index) => (look === before[index] ? [] : [[before[index], look]]));
  return { before: before.length, after: after.length, changed: changed.slice(0, 5) };
}

for (const path of [...PAGES, ...MORE_PAGES]) {
  const tag = MORE_PAGES.includes(path) ? MORE : [];
  test(`${path} is painted before any style sheet arrives, and the whole one changes nothing`, { tag }, async ({ page, watch }) => {
    if (/999999|no\/such/.test(path)) watch.expectStatus(404);
    const release = await holdStyles(page);
    await page.goto(path, { waitUntil: "commit" });
    await firstPaint(page);
    expect(await page.evaluate(hasWholeStyleSheet)).toBe(false);
    await noteLooks(page);
    release();
    await page.waitForFunction(hasWholeStyleSheet);
    await noteLooks(page);
    const { before, after, changed } = await page.evaluate(comparedLooks);
    expect(before).toBeGreaterThan(0);
    expect(after).toBe(before);
    expect(changed).toEqual([]);
  });
}

/** Runs in the page: what is shown before the styles that follow the first screen, although it needs some of them. */
function needsFurtherStyles(): string[] {
  const further = document.querySelector("#root style");
  if (!(further instanceof HTMLStyleElement)) return ["there are no further styles"];
  const styled = (rules: CSSRuleList): CSSStyleRule[] =>
    [...rules].flatMap((rule) =>
      rule instanceof CSSStyleRule ? [rule] : rule instanceof CSSGroupingRule && !(rule instanceof CSSMediaRule && !matchMedia(rule.conditionText).matches) ? styled(rule.cssRules) : [],
    );
  const early = [...document.querySelectorAll("#root *")].filter(
    (element) => (element.compareDocumentPosition(further) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && element.checkVisibility(),
  );
  return styled(further.sheet?.cssRules ?? new CSSStyleSheet().cssRules).flatMap(({ selectorText }) => {
    const selector = selectorText.replaceAll(/::(?:before|after|placeholder)/g, "");
    return early.some((element) => element.matches(selector)) ? [selectorText] : [];
  });
}

/** Runs in the page: the icons of the first screen that are drawn behind the markup. */
function lateIcons(): string[] {
  const early = document.querySelector("body > svg");
  return [...document.querySelectorAll<SVGUseElement>("#root use")].flatMap((use) => {
    const { top, right, bottom, left, width } = use.ownerSVGElement?.getBoundingClientRect() ?? new DOMRect();
    const isSeen = width > 0 && top < innerHeight && bottom > 0 && left < innerWidth && right > 0 && use.checkVisibility();
    const name = use.getAttribute("href") ?? "";
    return isSeen && early?.querySelector(name) === null ? [name] : [];
  });
}

test("the first screen needs nothing that comes behind it", async ({ page }) => {
  for (const path of ["/", "/category/mens-shirts", "/products?rating=4", "/search/phone", "/deals", "/product/1", "/categories", "/brands", "/offline"]) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      if (path !== "/offline") expect(await page.evaluate(needsFurtherStyles), `${path}, ${width}`).toEqual([]);
      expect(await page.evaluate(lateIcons), `${path}, ${width}`).toEqual([]);
    }
  }
});

test("nothing in the head keeps a page from being painted", async ({ page }) => {
  for (const path of ["/", "/products", "/product/1", "/categories", "/offline"]) {
    await page.goto(path);
    const blocking = page.locator("head").locator("link[rel=stylesheet], script[src], link[rel=preload][as=font], svg");
    await expect(blocking, path).toHaveCount(0);
    const blocked = await page.evaluate(() =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter((entry) => (entry as { renderBlockingStatus?: string }).renderBlockingStatus === "blocking")
        .map(({ name }) => name),
    );
    expect(blocked, path).toEqual([]);
  }
});

test("a visit loads the style sheet once, whichever pages it leads to", async ({ page, watch }) => {
  const styles: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "stylesheet") styles.push(request.url());
  });
  await open(page, "/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" }).click();
  await expect(heading(page)).toHaveText("Deals");
  await cards(page).first().getByRole("link").click();
  await expect(page).toHaveURL(/\/product\/\d+$/);
  await page.goBack();
  await expect(heading(page)).toHaveText("Deals");
  expect(watch.documents).toHaveLength(1);
  expect(styles).toHaveLength(1);
});

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null }[];
}

interface Moved {
  name: string;
  startTime: number;
  value: number;
}

/** A browser may paint the middle of a line that is still arriving; the rest of the line then moves by this much at most. */
const IN_A_LINE = 0.01;

/** Which boxes moved, apart from those of a line that was still arriving. */
function movedBoxes(inALine: number): string[] {
  const { moved, frames } = globalThis as unknown as { moved: Moved[]; frames: number[] };
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const parsed = navigation?.domInteractive ?? 0;
  // The first frame after parsing may have begun before the whole line was there; the second one shows it.
  const arrived = frames.filter((time) => time > parsed)[1] ?? Infinity;
  return moved.flatMap(({ name, startTime, value }) => (startTime < arrived && value < inALine ? [] : [name]));
}

for (const width of WIDTHS) {
  test(`nothing moves while a page arrives on a window of ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript((noticeable) => {
      const moved: Moved[] = [];
      const frames: number[] = [];
      Object.assign(globalThis, { moved, frames });
      const noteFrame = (time: number) => {
        frames.push(time);
        requestAnimationFrame(noteFrame);
      };
      requestAnimationFrame(noteFrame);
      new PerformanceObserver((list) => {
        for (const { startTime, value, sources } of list.getEntries() as LayoutShift[]) {
          // A text counts only if its shift is seen: the typeface's letters are not exactly as wide as the fallback's.
          for (const { node } of sources) {
            if (node instanceof Element) moved.push({ name: node.className, startTime, value });
            else if (value >= noticeable) moved.push({ name: node?.parentElement?.className ?? "what is gone", startTime, value });
          }
        }
      }).observe({ type: "layout-shift", buffered: true });
    }, IN_A_LINE);
    // Pictures come last, as on a slow connection.
    await page.route(/\/sample-images\//, async (route) => {
      await page.waitForFunction(hasWholeStyleSheet);
      await route.continue();
    });
    for (const path of ["/", "/category/groceries", "/products", "/sale", "/product/1", "/categories", "/brands"]) {
      await open(page, path);
      await page.waitForLoadState("networkidle");
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      expect(await page.evaluate(movedBoxes, IN_A_LINE), path).toEqual([]);
    }
  });
}

test("the style sheet has no typefaces, for which a browser would lay out the whole page again", async ({ page }) => {
  await page.goto("/products");
  const families = await page.evaluate(() =>
    [...document.styleSheets].map(({ cssRules }) =>
      [...cssRules].flatMap((rule) => (rule instanceof CSSFontFaceRule ? [rule.style.getPropertyValue("font-family").replaceAll('"', "")] : [])),
    ),
  );
  const display = ["Vitrine Display", "Vitrine Display", "Vitrine Display"];
  expect(families).toEqual([[...display, "Display Arial", "Display Roboto", "Display DejaVu"], [], []]);
  await page.waitForFunction(() => document.fonts.check('800 20px "Vitrine Display"', "Products"));
});
