import { expect, test } from "@playwright/test";
import type { Browser } from "@playwright/test";
import { hydrated } from "../../tests/browser/support/page";
import { hasRealProducts, startShop } from "../../tests/browser/support/shops";
import { EARLY_PRESSES } from "./earlyPresses";
import type { EarlyPress } from "./earlyPresses";
import { FAST, slowConnection } from "./network";
import { median } from "./programs";
import { QuietChromium } from "./quietChromium";
import type { QuietPage } from "./quietChromium";
import { writeTable } from "./report";
import { slowCpu, SLOWDOWN } from "./slowCpu";

const RUNS = Number(process.env.BENCH_RUNS ?? 5);
const ONLY = new RegExp(process.env.BENCH_ONLY ?? "");
/** When a quick visitor presses, after the first contentful paint. */
const PRESS_AFTER_MS = 100;
const TARGET_MS = 200;
/** From this duration on, browsers call a task long. There are to be none while nobody has touched the page. */
const LONG_TASK_MS = 50;
const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 412, height: 823 };
const PAGES = ["/", "/category/groceries", "/products", "/product/1"];

test("presses right after the first paint take effect", async ({ browser }) => {
  const presses = EARLY_PRESSES.filter(({ name, path }) => ONLY.test(`early ${path} ${name}`));
  test.skip(presses.length === 0);
  const shop = await startShop(hasRealProducts() ? "real" : "sample");
  const chromium = QuietChromium.start();
  const rows: string[][] = [];
  const missed: string[] = [];
  try {
    for (const press of presses) {
      const place = await placeOf(browser, shop.address, press);
      const runs: Effect[] = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await pressEarly(chromium, shop.address, press, place));
      const of = (figure: (effect: Effect) => number) => Math.round(median(runs.map(figure)));
      const worst = Math.round(Math.max(...runs.map(({ took }) => took)));
      const [middle, after] = [of(({ took }) => took), of(({ afterPaint }) => afterPaint)];
      rows.push([`\`${press.path}\`: ${press.name}`, `${after} ms`, `${middle} ms`, `${worst} ms`]);
      if (middle > TARGET_MS) missed.push(`${press.path}, ${press.name}: ${middle} ms`);
    }
  } finally {
    await chromium.stop();
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

test("the client takes over in short tasks", async () => {
  const pages = PAGES.filter((path) => ONLY.test(`takes over ${path}`));
  test.skip(pages.length === 0);
  const shop = await startShop(hasRealProducts() ? "real" : "sample");
  const chromium = QuietChromium.start();
  const rows: string[][] = [];
  const missed: string[] = [];
  try {
    for (const path of pages) {
      const runs: LongTasks[] = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await longTasks(chromium, shop.address, path));
      const longest = (of: (tasks: LongTasks) => number[]) => Math.round(median(runs.map((tasks) => Math.max(0, ...of(tasks)))));
      const [before, during] = [longest(({ before }) => before), longest(({ during }) => during)];
      const blocking = Math.round(median(runs.map(({ during }) => during.reduce((sum, task) => sum + task - LONG_TASK_MS, 0))));
      rows.push([`\`${path}\``, milliseconds(during), `${blocking} ms`, milliseconds(before)]);
      if (during > LONG_TASK_MS) missed.push(`${path}: ${during} ms`);
    }
  } finally {
    await chromium.stop();
    await shop.stop();
  }
  writeTable(
    "taking over",
    `The same, nobody touches the page; tasks since the client was asked for until it has taken over, at most ${LONG_TASK_MS} ms:`,
    ["Page", "longest task", `beyond ${LONG_TASK_MS} ms in all`, "longest task before, since the first paint"],
    rows,
  );
  expect(missed, `pages with a task of more than ${LONG_TASK_MS} ms`).toEqual([]);
});

function milliseconds(task: number): string {
  return task === 0 ? `below ${LONG_TASK_MS} ms` : `${task} ms`;
}

/** How late a press was and took effect, in milliseconds. */
interface Effect {
  /** From the first contentful paint to the press. */
  afterPaint: number;
  /** From the press to its effect, looked for in each frame. */
  took: number;
}

interface Point {
  x: number;
  y: number;
}

/** Where Playwright finds the control to press. */
async function placeOf(browser: Browser, shop: string, { path, target, ...press }: EarlyPress): Promise<Point> {
  const viewport = { width: press.width ?? LAPTOP.width, height: LAPTOP.height };
  const context = await browser.newContext({ baseURL: shop, locale: "en-GB", viewport, serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    await page.goto(path);
    await hydrated(page);
    const box = await target(page).boundingBox();
    if (box === null) throw new Error("what is to be pressed is not shown");
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  } finally {
    await context.close();
  }
}

async function pressEarly(chromium: QuietChromium, shop: string, { path, width, isDone }: EarlyPress, { x, y }: Point): Promise<Effect> {
  const viewport = { width: width ?? LAPTOP.width, height: LAPTOP.height };
  return visit(chromium, shop + path, viewport, calling(recordEffect, isDone), async (page) => {
    await page.evaluate(calling(afterFirstPaint, PRESS_AFTER_MS));
    const press = { x, y, button: "left", clickCount: 1 } as const;
    await page.send("Input.dispatchMouseEvent", { ...press, type: "mousePressed" });
    await page.send("Input.dispatchMouseEvent", { ...press, type: "mouseReleased" });
    return page.evaluate("globalThis.effect") as Promise<Effect>;
  });
}

/** The durations of the tasks of more than 50 ms, in milliseconds. */
interface LongTasks {
  /** From the first paint, after which the browser lays out what arrives, until the client was asked for. */
  before: number[];
  /** From then on, until half a second after the client has taken over. */
  during: number[];
}

async function longTasks(chromium: QuietChromium, shop: string, path: string): Promise<LongTasks> {
  return visit(chromium, shop + path, PHONE, calling(recordTasks), (page) => page.evaluate("globalThis.tasks") as Promise<LongTasks>);
}

/** Loads a page as a visitor with a slow device and an empty cache does. */
async function visit<T>(
  chromium: QuietChromium,
  address: string,
  { width, height }: typeof LAPTOP,
  script: string,
  look: (page: QuietPage) => Promise<T>,
): Promise<T> {
  const page = await chromium.newPage(width, height);
  try {
    await slowCpu(page);
    await slowConnection(page, FAST);
    await page.send("Page.addScriptToEvaluateOnNewDocument", { source: script });
    const { errorText } = await page.send("Page.navigate", { url: address });
    if (errorText !== undefined) throw new Error(`${address}: ${errorText}`);
    return await look(page);
  } finally {
    await page.close();
  }
}

/** A call of a function as text, because functions cannot be passed into a page. */
function calling<A extends (number | (() => boolean))[]>(run: (...parameters: A) => unknown, ...parameters: A): string {
  return `(${run.toString()})(${parameters.map(String).join()})`;
}

/** Runs in the page: ends when this time has passed since the first paint. */
async function afterFirstPaint(afterMs: number): Promise<void> {
  const firstPaint = await new Promise<number>((resolve) => {
    new PerformanceObserver((list) => {
      const paint = list.getEntriesByName("first-contentful-paint")[0];
      if (paint !== undefined) resolve(paint.startTime);
    }).observe({ type: "paint", buffered: true });
  });
  await new Promise((passed) => setTimeout(passed, firstPaint + afterMs - performance.now()));
}

/** Runs in the page, before its scripts: `effect` is when the first press came, and in which frame it had taken effect. */
function recordEffect(isDone: () => boolean): void {
  const effect = new Promise<Effect>((resolve, reject) => {
    setTimeout(() => {
      reject(new Error("the press took no effect"));
    }, 20_000);
    addEventListener(
      "click",
      ({ timeStamp }) => {
        const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN;
        const look = () => {
          if (isDone()) resolve({ afterPaint: timeStamp - paint, took: performance.now() - timeStamp });
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
  Object.assign(globalThis, { effect });
}

/** Runs in the page, before its scripts: `tasks` are the long tasks, known when the client has taken over. */
function recordTasks(): void {
  const found: PerformanceEntry[] = [];
  new PerformanceObserver((list) => found.push(...list.getEntries())).observe({ type: "longtask", buffered: true });
  const tasks = new Promise<LongTasks>((resolve, reject) => {
    const look = () => {
      if (document.documentElement.dataset.client !== "ready") {
        requestAnimationFrame(look);
        return;
      }
      // The entries of a task come after it.
      setTimeout(() => {
        const paint = performance.getEntriesByName("first-contentful-paint")[0];
        const client = performance.getEntriesByType("resource").find(({ name }) => /\/entry-[^/]*\.js$/.test(name));
        if (paint === undefined || client === undefined) {
          reject(new Error("nothing was painted, or no client was asked for"));
          return;
        }
        const between = (from: number, to: number) =>
          found.filter(({ startTime }) => startTime >= from && startTime < to).map(({ duration }) => duration);
        resolve({ before: between(paint.startTime, client.startTime), during: between(client.startTime, Infinity) });
      }, 500);
    };
    requestAnimationFrame(look);
  });
  Object.assign(globalThis, { tasks });
}
