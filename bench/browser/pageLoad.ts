import type { Browser } from "@playwright/test";
import { countBytes, quiet, slowConnection, SLOW_4G } from "./network";
import { slowDown } from "./slowCpu";

/** What a visitor's first page cost, in milliseconds and bytes over the network. */
export interface PageLoad {
  firstPaint: number;
  largestPaint: number;
  /** What the largest paint was: a picture's address or an element. */
  largest: string;
  shift: number;
  /** What moved, from where to where. */
  moved: string[];
  blocking: number;
  longestTask: number;
  bytes: ReadonlyMap<string, number>;
}

/** Lighthouse's phone. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, hasTouch: true, isMobile: true };

interface Recorded {
  firstPaint: number;
  largestPaint: number;
  largest: string;
  shift: number;
  moved: string[];
  tasks: { start: number; duration: number }[];
}

/** Loads a page with an empty cache on a slow phone, and scrolls through it once it is there, as a reader does. */
export async function loadPage(browser: Browser, address: string): Promise<PageLoad> {
  const context = await browser.newContext({ ...PHONE, locale: "en-GB", serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    const session = await slowDown(page);
    await slowConnection(session, SLOW_4G);
    const bytes = countBytes(session);
    await page.addInitScript(record);
    await page.goto(address);
    await quiet(page);
    // Before the first input, after which the browser reports no larger paint.
    const { tasks, ...recorded } = await page.evaluate(() => (globalThis as unknown as { recorded: Recorded }).recorded);
    for (let screens = 0; screens < 4; screens += 1) await page.mouse.wheel(0, 700);
    await quiet(page);
    const blocking = tasks
      .filter(({ start }) => start >= recorded.firstPaint)
      .reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0);
    return { ...recorded, blocking, longestTask: Math.max(0, ...tasks.map(({ duration }) => duration)), bytes };
  } finally {
    await context.close();
  }
}

/** An entry of the Layout Instability API, which TypeScript does not know. */
interface LayoutShift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Runs in the page, before its scripts. */
function record(): void {
  const recorded: Recorded = { firstPaint: 0, largestPaint: 0, largest: "", shift: 0, moved: [], tasks: [] };
  Object.assign(globalThis, { recorded });
  const observe = (type: string, read: (entry: PerformanceEntry) => void) => {
    new PerformanceObserver((list) => { list.getEntries().forEach(read); }).observe({ type, buffered: true });
  };
  const describe = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join();
  observe("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") recorded.firstPaint = startTime;
  });
  observe("largest-contentful-paint", (entry) => {
    const { url, element } = entry as unknown as { url: string; element: Element | null };
    recorded.largestPaint = entry.startTime;
    recorded.largest = url === "" ? (element?.className ?? "") : "a picture";
  });
  observe("layout-shift", (entry) => {
    const { value, hadRecentInput, sources } = entry as unknown as LayoutShift;
    if (hadRecentInput) return;
    recorded.shift += value;
    for (const { node, previousRect, currentRect } of sources) {
      const name = node instanceof Element ? (node.getAttribute("class") ?? node.localName) : (node?.textContent ?? "");
      recorded.moved.push(`${name} from ${describe(previousRect)} to ${describe(currentRect)} at ${Math.round(entry.startTime)} ms`);
    }
  });
  observe("longtask", ({ startTime, duration }) => { recorded.tasks.push({ start: startTime, duration }); });
}
