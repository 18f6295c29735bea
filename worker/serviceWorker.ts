import { deleteCaches } from "./cacheNames";
import { isStorable, withoutEncoding } from "./caching";
import { documentOf, jsonOf } from "./pageDocument";
import { ensureFiles, offlineTemplate, storedFile } from "./storedFiles";
import { listStoredPages, storedPage, storePage } from "./storedPages";
import type { Stored } from "./storedPages";

// Keeps pages that the visitor has seen, and shows them when the shop cannot be reached. The network
// always comes first; nothing that the host answers is changed or hidden, whatever its status.

/** The host gives up after 8 seconds; a longer wait means that the connection is unusable. */
const PATIENCE_MS = 10_000;

const DATA = "/_data";
/** Texts in another language than English; the document names them. */
const TEXTS = "/texts/";

const worker = self as unknown as ServiceWorkerGlobalScope;

worker.addEventListener("install", (event) => {
  void worker.skipWaiting();
  event.waitUntil(ensureFiles().then(storeOpenPages).catch(() => undefined));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(Promise.allSettled([deleteCaches(BUILD), enablePreload(), worker.clients.claim()]));
});

worker.addEventListener("fetch", (event) => {
  const { method, mode, url, headers } = event.request;
  const { origin, pathname, search } = new URL(url);
  // Without `respondWith` the browser goes to the network, as it would without a worker.
  if (method !== "GET" || origin !== worker.location.origin || headers.has("range")) return;
  if (mode === "navigate") event.respondWith(answerDocument(event, pathname + search));
  else if (pathname.startsWith(`${DATA}/`)) {
    event.respondWith(answerData(event, pathname.slice(DATA.length) + search));
  } else if (ASSETS.includes(pathname) || pathname.startsWith(TEXTS)) event.respondWith(answerFile(event.request, pathname));
});

async function enablePreload(): Promise<void> {
  // Firefox may switch navigation preloads off.
  const { navigationPreload } = worker.registration as Partial<ServiceWorkerRegistration>;
  await navigationPreload?.enable();
}

async function answerDocument(event: FetchEvent, path: string): Promise<Response> {
  // Where preloads are switched off, Firefox has no such property.
  const preload = Promise.resolve(event.preloadResponse as Promise<Response | undefined> | undefined);
  const network = stored(event, preload.then((response) => response ?? fetch(event.request)));
  // A document that is asked for ahead of a visit must be the shop's: a substitute for it would still be shown
  // when the connection is back.
  if (isPrefetch(event.request)) return network.catch(() => Response.error());
  const answer = await patiently(network);
  if (answer !== undefined) return answer;
  const page = await ignoreErrors(storedDocument(path));
  if (page !== undefined) return page;
  return network.catch(async () => (await ignoreErrors(offlineDocument(path))) ?? Response.error());
}

function isPrefetch({ headers }: Request): boolean {
  return headers.get("sec-purpose")?.startsWith("prefetch") === true;
}

async function answerData(event: FetchEvent, path: string): Promise<Response> {
  const network = stored(event, fetch(event.request));
  const answer = await patiently(network);
  if (answer !== undefined) return answer;
  // A page of another build must not get the data of this one.
  const isOwn = event.request.headers.get("vitrine-build") === BUILD;
  const entry = isOwn ? await ignoreErrors(storedPage(path)) : undefined;
  if (entry === undefined) return network.catch(() => Response.error());
  return new Response(JSON.stringify({ ...entry.page, stored: entry.age }), { headers: entry.headers });
}

/** The bundle's files never change, so the stored ones are as good as the host's. */
async function answerFile(request: Request, path: string): Promise<Response> {
  return (await ignoreErrors(storedFile(path))) ?? fetch(request).catch(() => Response.error());
}

/** The network's answer, which is also stored if it may be. */
function stored(event: FetchEvent, network: Promise<Response>): Promise<Response> {
  const answer = network.then((response) => {
    if (isStorable(response, BUILD)) event.waitUntil(store(response.clone()));
    return response;
  });
  event.waitUntil(answer.catch(() => undefined));
  return answer;
}

/** The network's answer, or undefined when there is none or it takes too long. */
function patiently(network: Promise<Response>): Promise<Response | undefined> {
  let timer = 0;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, undefined);
  });
  return Promise.race([ignoreErrors(network), late]).finally(() => {
    clearTimeout(timer);
  });
}

async function store(response: Response): Promise<void> {
  try {
    const text = await response.text();
    const isDocument = response.headers.get("content-type")?.startsWith("text/html") === true;
    const json = isDocument ? jsonOf(text) : text;
    if (json === undefined) return;
    await ensureFiles();
    await storePage(json, response.headers);
  } catch {
    // The answer was cut off, or there is no room. The visitor has the page, and that is enough.
  }
}

/** Stores the pages that were opened before there was a worker, from the browser's HTTP cache. */
async function storeOpenPages(): Promise<void> {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const { url } of windows) {
    const response = await fetch(url, { cache: "force-cache" });
    if (isStorable(response, BUILD)) await store(response);
  }
}

async function storedDocument(path: string): Promise<Response | undefined> {
  const entry = await storedPage(path);
  const template = await offlineTemplate();
  if (entry === undefined || template === undefined) return undefined;
  const headers = new Headers(entry.headers);
  // The policy names the inline script, which comes from the template.
  const policy = template.headers.get("content-security-policy");
  if (policy !== null) headers.set("content-security-policy", policy);
  return html(documentOf(await template.text(), { ...entry.page, stored: entry.age }), headers);
}

/** The offline page for an address, with links to the pages that are stored. */
async function offlineDocument(path: string): Promise<Response | undefined> {
  const template = await offlineTemplate();
  if (template === undefined) return undefined;
  const text = await template.text();
  const page = JSON.parse(jsonOf(text) ?? "") as Stored["page"];
  // The client takes this status for a failure, and tries again when the connection is back.
  const offline = { ...page, path, status: 503, content: { kind: "offline", stored: await listStoredPages() } as const };
  return html(documentOf(text, offline), template.headers);
}

function html(text: string, answered: Headers): Response {
  const headers = withoutEncoding(answered);
  // Neither these rules nor pages ahead of visits could be loaded.
  headers.delete("speculation-rules");
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(text, { headers });
}

function ignoreErrors<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch(() => undefined);
}
