import type { Page } from "../contract.gen";
import { loadPage } from "./data";

/** Longer than the time between hover and click, and too short for prices to become outdated. */
const PREFETCH_LIFETIME_MS = 10_000;
const PREFETCH_LIMIT = 12;

interface PrefetchedPage {
  page: Promise<Page>;
  expires: number;
}

/** Loads pages, and keeps those that were prefetched until they are used or expire. */
export function createPageLoader() {
  const prefetched = new Map<string, PrefetchedPage>();

  function takePrefetched(path: string): Promise<Page> | undefined {
    const entry = prefetched.get(path);
    prefetched.delete(path);
    return entry !== undefined && entry.expires > performance.now() ? entry.page : undefined;
  }

  /** The page of a path and query: the prefetched one, or a new answer of the host. */
  async function load(path: string, signal?: AbortSignal): Promise<Page> {
    const page = takePrefetched(path);
    if (page !== undefined) {
      try {
        return await page;
      } catch {
        // A failed prefetch must not fail the navigation, which asks again.
      }
    }
    return loadPage(path, signal);
  }

  /** Starts loading a page that will probably be needed next. */
  function prefetch(path: string): void {
    const now = performance.now();
    for (const [key, { expires }] of prefetched) {
      if (expires <= now) prefetched.delete(key);
    }
    if (prefetched.has(path) || prefetched.size >= PREFETCH_LIMIT) return;
    const page = loadPage(path);
    page.catch(() => prefetched.delete(path));
    prefetched.set(path, { page, expires: now + PREFETCH_LIFETIME_MS });
  }

  return { load, prefetch };
}
