import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";

/** Waits until the service worker controls the page. */
export async function controlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

/** The content of a page's caches: path and content type of every entry, by the name of its cache. */
export async function stored(page: Page): Promise<Record<string, [string, string][]>> {
  return page.evaluate(async () => {
    const found: Record<string, [string, string][]> = {};
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const [keys, entries] = await Promise.all([cache.keys(), cache.matchAll()]);
      found[name] = keys.map(({ url }, index) => [
        url.replace(location.origin, ""),
        entries[index]?.headers.get("content-type") ?? "",
      ]);
    }
    return found;
  });
}

/** The paths of the stored pages, the oldest first. */
export async function storedPages(page: Page): Promise<string[]> {
  const all = Object.entries(await stored(page)).filter(([name]) => name.startsWith("vitrine-pages-"));
  return all.flatMap(([, entries]) => entries.map(([path]) => path));
}

/** The names of the caches. Opening a cache here could create one again that the worker has just deleted. */
export async function storedNames(page: Page): Promise<string[]> {
  return (await page.evaluate(() => caches.keys())).sort();
}

/** Waits until these pages are stored. */
export async function expectStored(page: Page, ...paths: string[]): Promise<void> {
  await expect.poll(() => storedPages(page)).toEqual(expect.arrayContaining(paths));
}

/** Makes every stored page older. */
export async function makeOlder(page: Page, milliseconds: number): Promise<void> {
  await page.evaluate(async (by) => {
    const name = (await caches.keys()).find((known) => known.startsWith("vitrine-pages-")) ?? "";
    const cache = await caches.open(name);
    for (const key of await cache.keys()) {
      const entry = await cache.match(key);
      if (entry === undefined) continue;
      const headers = new Headers(entry.headers);
      headers.set("vitrine-stored-at", String(Number(headers.get("vitrine-stored-at")) - by));
      await cache.put(key, new Response(await entry.blob(), { headers }));
    }
  }, milliseconds);
}
