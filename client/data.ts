import type { Page } from "./contract.gen";

/** The only module that asks the network: pages as data, from the host that served the document. */

/** Long enough for the way from hover to click, short enough to never show an old price. */
const PREFETCH_LIFETIME_MS = 10_000;
const PREFETCH_LIMIT = 12;

/** The host's answer was not a page. Its message is the status text. */
export class LoadError extends Error {
  readonly status: number;

  constructor(response: Response) {
    // A success that is not a page came from something that answered in the host's place.
    super(response.ok ? "Bad Gateway" : response.statusText);
    this.status = response.ok ? 502 : response.status;
  }
}

interface Prefetched {
  page: Promise<Page>;
  expires: number;
}

const prefetched = new Map<string, Prefetched>();

/** The page of a site-relative address (path and query). Rejects when the host did not answer with a page. */
export async function loadPage(path: string, signal?: AbortSignal): Promise<Page> {
  const ready = takePrefetched(path);
  if (ready !== undefined) {
    try {
      return await ready;
    } catch {
      // The prefetch failed on its own; the real navigation deserves its own try.
    }
  }
  return requestPage(path, signal);
}

/** Starts loading a page that will probably be asked for next. */
export function prefetchPage(path: string): void {
  const now = performance.now();
  for (const [key, entry] of prefetched) {
    if (entry.expires <= now) prefetched.delete(key);
  }
  if (prefetched.has(path) || prefetched.size >= PREFETCH_LIMIT) return;
  const page = requestPage(path);
  page.catch(() => prefetched.delete(path));
  prefetched.set(path, { page, expires: now + PREFETCH_LIFETIME_MS });
}

function takePrefetched(path: string): Promise<Page> | undefined {
  const entry = prefetched.get(path);
  prefetched.delete(path);
  return entry !== undefined && entry.expires > performance.now() ? entry.page : undefined;
}

async function requestPage(path: string, signal?: AbortSignal): Promise<Page> {
  const response = await fetch(`/_data${path}`, {
    headers: { accept: "application/json" },
    ...(signal && { signal }),
  });
  const body: unknown = isJson(response) ? await response.json() : undefined;
  if (isPage(body)) return body;
  throw new LoadError(response);
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("application/json") === true;
}

export function isPage(value: unknown): value is Page {
  return (
    typeof value === "object" && value !== null && "path" in value && "content" in value && "categories" in value
  );
}
