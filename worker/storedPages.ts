import type { Page, StoredPage } from "../client/contract.gen";
import { cacheNames } from "./cacheNames";
import { staleIfError, withoutEncoding } from "./caching";
import { excess } from "./excess";

export interface Stored {
  page: Page;
  /** The headers of the host's answer, among them the content security policy. */
  headers: Headers;
  /** How long ago the host answered, in milliseconds. */
  age: number;
}

const STORED_AT = "vitrine-stored-at";
const SIZE = "vitrine-size";
/** How many pages the offline page names. */
const LISTED = 12;

const open = () => caches.open(cacheNames(BUILD).pages);

/** Stores a page under its own path, as the newest one, and deletes the oldest ones beyond the limits. */
export async function storePage(json: string, answered: Headers): Promise<void> {
  const { path, status, content } = JSON.parse(json) as Page;
  if (status !== 200 || content.kind === "offline") return;
  const headers = withoutEncoding(answered);
  const body = new Blob([json]);
  headers.set("content-type", "application/json");
  headers.set(STORED_AT, String(Date.now()));
  headers.set(SIZE, String(body.size));
  const pages = await open();
  // Entries keep the order in which they were added, so a new entry has to replace the old one.
  await pages.delete(path);
  await pages.put(path, new Response(body, { headers }));
  const [keys, entries] = await Promise.all([pages.keys(), pages.matchAll()]);
  const sizes = entries.map((entry) => Number(entry.headers.get(SIZE)));
  await Promise.all(keys.slice(0, excess(sizes)).map((key) => pages.delete(key)));
}

/** The stored page of a path and query, unless it is older than the host allows. */
export async function storedPage(path: string): Promise<Stored | undefined> {
  // Unlike `open`, this makes no cache after a newer worker has deleted it.
  const entry = await caches.match(path, { cacheName: cacheNames(BUILD).pages });
  if (entry === undefined) return undefined;
  const { headers } = entry;
  // After the clock was set back, the difference may be negative.
  const age = Math.max(0, Date.now() - Number(headers.get(STORED_AT)));
  if (age > staleIfError(headers)) return undefined;
  return { page: (await entry.json()) as Page, headers, age };
}

/** Links to the newest stored pages. Browsers may lose the body of an entry, which then gets no link. */
export async function listStoredPages(): Promise<StoredPage[]> {
  const keys = (await (await open()).keys()).slice(-LISTED).reverse();
  const links = await Promise.allSettled(keys.map(({ url }) => linkTo(url)));
  return links.flatMap((link) => (link.status === "fulfilled" ? link.value : []));
}

async function linkTo(url: string): Promise<StoredPage[]> {
  const entry = await storedPage(url);
  if (entry === undefined) return [];
  const { path, title } = entry.page;
  return [{ href: path, title: title.replace(/ \| [^|]*$/, "") }];
}
