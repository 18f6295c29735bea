import type { Locator, Page, Response } from "@playwright/test";

/** Opens an address and waits until the client has taken over. */
export async function open(page: Page, path: string): Promise<Response> {
  const response = await page.goto(path);
  if (response === null) throw new Error(`${path} did not load a document`);
  await hydrated(page);
  return response;
}

/** Opens an address and stops the page's clock, which `page.clock.runFor` then moves. */
export async function openStopped(page: Page, path: string): Promise<Response> {
  await page.clock.install({ time: 0 });
  const response = await open(page, path);
  // Later than any loading takes.
  await page.clock.pauseAt(3_600_000);
  return response;
}

/**
 * Waits until the client has taken over, which it says after the whole tree is hydrated. The router gives scrolling
 * back to the browser when the document is left.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isReady = document.documentElement.dataset.client === "ready";
    return isReady && document.readyState === "complete" && history.scrollRestoration === "manual";
  });
}

export function heading(page: Page): Locator {
  return page.getByRole("main").getByRole("heading", { level: 1 });
}

/** The header's search field. At its first focus the suggestions make a combobox of the search box. */
export function searchField(page: Page): Locator {
  return page.getByRole("banner").getByRole("search").getByPlaceholder("Search products");
}

/** The product cards, wherever on the page. */
export function cards(within: Page | Locator): Locator {
  const page = "page" in within ? within.page() : within;
  return within.getByRole("article").filter({ has: page.getByRole("button", { name: /^(Wishlist|Save): / }) });
}

/** The titles of the cards, in order. */
export async function cardTitles(within: Page | Locator): Promise<string[]> {
  return cards(within).getByRole("heading", { level: 3 }).allInnerTexts();
}

/** The categories of the category list. */
export function categoryTiles(page: Page): Locator {
  return page.getByRole("main").getByRole("listitem").getByRole("link");
}

/** A phone, a tablet and a laptop, in CSS pixels. */
export const WIDTHS = [360, 768, 1280] as const;

/** Changes the size of the window; the styles that depend on it follow with the next frame. */
export async function resize(page: Page, width: number, height = 800): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** By how many pixels the page is wider than the window, and so scrolls sideways. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollingElement, documentElement } = document;
    return (scrollingElement ?? documentElement).scrollWidth - documentElement.clientWidth;
  });
}

/** A promise and the function that resolves it, to hold an answer back until the test has looked. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
