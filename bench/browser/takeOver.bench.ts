import { expect, test } from "@playwright/test";
import type { Browser, Page } from "@playwright/test";
import { hydrated } from "../../tests/browser/support/page";
import { hasRealProducts, startShop } from "../../tests/browser/support/shops";
import { EARLY_PRESSES } from "./earlyPresses";
import type { EarlyPress } from "./earlyPresses";
import { FAST, slowConnection } from "./network";
import { median } from "./programs";
import { writeTable } from "./report";
import { slowDown, SLOWDOWN } from "./slowCpu";

const RUNS = Number(process.env.BENCH_RUNS ?? 5);
const ONLY = new RegExp(process.env.BENCH_ONLY ?? "");
/** When a quick visitor presses, after the first contentful paint. */
const PRESS_AFTER_MS = 100;
const TARGET_MS = 200;
/** What the browser does in a row while nobody has touched the page. */
const LONGEST_TASK_MS = 50;
const PAGES = ["/", "/category/groceries", "/products", "/product/1"];

test("presses right after the first paint take effect", async ({ browser }) => {
  const presses = EARLY_PRESSES.filter(({ name, path }) => ONLY.test(`early ${path} ${name}`));
  test.skip(presses.length === 0);
  const shop = await startShop(hasRealProducts() ? "real" : "sample");
  const rows: string[][] = [];
  const missed: string[] = [];
  try {
    for (const press of presses) {
      const runs: Effect[] = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await pressEarly(browser, shop.address, press));
      const of = (figure: (effect: Effect) => number) => Math.round(median(runs.map(figure)));
      const worst = Math.round(Math.max(...runs.map(({ took }) => took)));
      const [middle, after] = [of(({ took }) => took), of(({ afterPaint }) => afterPaint)];
      rows.push([`\`${press.path}\`: ${press.name}`, `${after} ms`, `${middle} ms`, `${worst} ms`]);
      if (middle > TARGET_MS) missed.push(`${press.path}, ${press.name}: ${middle} ms`);
    }
  } finally {
    await shop.stop();
  }
  writeTable(
    "early presses",
    `Chromium on a CPU slowed down ${SLOWDOWN} times and 10 Mbit/s, empty cache, median of ${RUNS}, at most ${TARGET_MS} ms:`,
    ["Press", "after the first paint", "until it took effect", "worst"],
    rows,
  );
  expect(missed, `presses that took more than ${TARGET_MS} ms`).toEqual([]);
});

test("the client takes over in short tasks", async ({ browser }) => {
  const pages = PAGES.filter((path) => ONLY.test(`takes over ${path}`));
  test.skip(pages.length === 0);
  const shop = await startShop(hasRealProducts() ? "real" : "sample");
  const rows: string[][] = [];
  const missed: string[] = [];
  try {
    for (const path of pages) {
      const runs: number[][] = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await longTasks(browser, shop.address, path));
      const longest = Math.round(median(runs.map((tasks) => Math.max(0, ...tasks))));
      const blocking = Math.round(median(runs.map((tasks) => tasks.reduce((sum, task) => sum + task - LONGEST_TASK_MS, 0))));
      rows.push([`\`${path}\``, longest === 0 ? `below ${LONGEST_TASK_MS} ms` : `${longest} ms`, `${blocking} ms`]);
      if (longest > LONGEST_TASK_MS) missed.push(`${path}: ${longest} ms`);
    }
  } finally {
    await shop.stop();
  }
  writeTable(
    "taking over",
    `The same, nobody touches the page; tasks from the first paint until the client has taken over, at most ${LONGEST_TASK_MS} ms:`,
    ["Page", "longest task", "beyond 50 ms in all"],
    rows,
  );
  expect(missed, `pages with a task of more than ${LONGEST_TASK_MS} ms`).toEqual([]);
});

/** In milliseconds. */
interface Effect {
  /** From the first contentful paint to the press. */
  afterPaint: number;
  /** From the press to its effect, looked for in each frame. */
  took: number;
}

async function pressEarly(browser: Browser, shop: string, { path, width = 1280, target, isDone }: EarlyPress): Promise<Effect> {
  const options = { baseURL: shop, locale: "en-GB", viewport: { width, height: 800 }, serviceWorkers: "block" as const };
  const point = await withPage(browser, options, async (page) => {
    await page.goto(path);
    await hydrated(page);
    const box = await target(page).boundingBox();
    if (box === null) throw new Error("what is to be pressed is not shown");
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
  return withPage(browser, options, async (page) => {
    const session = await slowDown(page);
    await slowConnection(session, FAST);
    // As text, because functions cannot be passed into a page.
    await page.addInitScript(`(${recordEffect.toString()})(${isDone.toString()})`);
    await page.goto(path, { waitUntil: "commit" });
    await page.waitForFunction((afterMs) => {
      const paint = performance.getEntriesByName("first-contentful-paint")[0];
      return paint !== undefined && performance.now() >= paint.startTime + afterMs;
    }, PRESS_AFTER_MS);
    // At a point, because Playwright's own look at the page runs on the page's thread.
    await page.mouse.click(point.x, point.y);
    const effect = await page.waitForFunction(() => (globalThis as unknown as { effect?: Effect }).effect);
    const found = await effect.jsonValue();
    if (found === undefined) throw new Error("the press took no effect");
    return found;
  });
}

type ContextOptions = Parameters<Browser["newContext"]>[0];

async function withPage<T>(browser: Browser, options: ContextOptions, visit: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(options);
  try {
    return await visit(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Runs in the page, before its scripts: notes when the first press came, and in which frame it had taken effect. */
function recordEffect(isDone: () => boolean): void {
  addEventListener(
    "click",
    ({ timeStamp }) => {
      const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN;
      const look = () => {
        if (isDone()) Object.assign(globalThis, { effect: { afterPaint: timeStamp - paint, took: performance.now() - timeStamp } });
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    { capture: true, once: true },
  );
}

/** The durations of the tasks of more than 50 ms from the first paint until the client has taken over. */
async function longTasks(browser: Browser, shop: string, path: string): Promise<number[]> {
  const options = { baseURL: shop, locale: "en-GB", viewport: { width: 412, height: 823 }, serviceWorkers: "block" as const };
  return withPage(browser, options, async (page) => {
    const session = await slowDown(page);
    await slowConnection(session, FAST);
    await page.addInitScript(() => {
      const tasks: { start: number; duration: number }[] = [];
      Object.assign(globalThis, { tasks });
      const read = (list: PerformanceObserverEntryList) => {
        for (const { startTime, duration } of list.getEntries()) tasks.push({ start: startTime, duration });
      };
      new PerformanceObserver(read).observe({ type: "longtask", buffered: true });
    });
    await page.goto(path);
    await hydrated(page);
    return page.evaluate(async () => {
      // The entries of a task come after it.
      await new Promise((rested) => setTimeout(rested, 200));
      const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
      const { tasks } = globalThis as unknown as { tasks: { start: number; duration: number }[] };
      return tasks.filter(({ start }) => start >= paint).map(({ duration }) => duration);
    });
  });
}
