import type { Locator, Page, Response } from "@playwright/test";

/** Opens an address and waits until the client has taken over. */
export async function open(page: Page, path: string): Promise<Response> {
  const response = await page.goto(path);
  if (response === null) throw new Error(`${path} did not load a document`);
  await hydrated(page);
  return response;
}

/**
 * Waits until the client has taken over. The router takes scrolling upon itself in its first
 * effects, after the whole tree is hydrated, and gives it back when the document is left.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => document.readyState === "complete" && history.scrollRestoration === "manual");
}

export function heading(page: Page): Locator {
  return page.getByRole("main").getByRole("heading", { level: 1 });
}

/** The product cards, wherever on the page. */
export function cards(within: Page | Locator): Locator {
  const page = "page" in within ? within.page() : within;
  return within.getByRole("article").filter({ has: page.getByRole("button", { name: /^Wishlist: / }) });
}

/** The titles of the cards, in order. */
export async function cardTitles(within: Page | Locator): Promise<string[]> {
  return cards(within).getByRole("heading", { level: 3 }).allInnerTexts();
}

/** Nothing is wider than the window, which would make the page scroll sideways. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollingElement, documentElement } = document;
    return (scrollingElement ?? documentElement).scrollWidth - documentElement.clientWidth;
  });
}

/** A promise with its key, to hold an answer back until the test has looked. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
