import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Page } from "../client/contract.gen";

const ORIGIN = "https://shop.example";
const HEADERS = {
  "cache-control": "public, max-age=0, stale-if-error=600",
  "content-type": "application/json",
  "vitrine-build": "b1",
};

type Listener = (event: unknown) => void;
const listeners = new Map<string, Listener>();
const network = vi.fn<(request: Request | string) => Promise<Response>>();

/** The part of the Cache API that the worker uses. */
function memoryCaches() {
  const kept = new Map<string, Map<string, Response>>();
  const urlOf = (key: string | Request) => new URL(typeof key === "string" ? key : key.url, ORIGIN).href;
  const open = (name: string) => {
    const entries = kept.get(name) ?? new Map<string, Response>();
    kept.set(name, entries);
    return Promise.resolve({
      match: (key: string | Request) => Promise.resolve(entries.get(urlOf(key))?.clone()),
      put: (key: string | Request, response: Response) => Promise.resolve(void entries.set(urlOf(key), response)),
      delete: (key: string | Request) => Promise.resolve(entries.delete(urlOf(key))),
      keys: () => Promise.resolve([...entries.keys()].map((url) => ({ url }))),
      matchAll: () => Promise.resolve([...entries.values()]),
    });
  };
  const match = (key: string, { cacheName }: { cacheName: string }) => Promise.resolve(kept.get(cacheName)?.get(urlOf(key))?.clone());
  return { open, match, keys: () => Promise.resolve([...kept.keys()]), delete: (name: string) => Promise.resolve(kept.delete(name)) };
}

function page(path: string): Page {
  const content = { kind: "error", message: "" } as const;
  return { path, canonical: path, status: 200, shop: { name: "Vitrine", language: "en", promises: [], notes: [], sale: "Sale" }, title: "T", robots: "noindex", categories: [], content };
}

/** An answer of the host, with the `type` that a response made by a test lacks. */
function answer(body: unknown, status = 200, headers: Record<string, string> = HEADERS): Response {
  const response = new Response(JSON.stringify(body), { status, headers });
  Object.defineProperty(response, "type", { value: "basic" });
  return response;
}

/** A document of the host. */
function html(text: string): Response {
  const response = new Response(text, { headers: { ...HEADERS, "content-type": "text/html" } });
  Object.defineProperty(response, "type", { value: "basic" });
  return response;
}

interface Asked {
  method?: string;
  mode?: "cors" | "navigate";
  headers?: Record<string, string>;
}

/** Gives the worker a request, for data unless it is a navigation; the answer is undefined when it leaves the request to the browser. */
function request(url: string, { method = "GET", mode = "cors", headers = { "vitrine-build": "b1" } }: Asked = {}) {
  let answered: Promise<Response> | undefined;
  const pending: Promise<unknown>[] = [];
  listeners.get("fetch")?.({
    request: { url: new URL(url, ORIGIN).href, method, mode, headers: new Headers(headers) },
    respondWith: (response: Promise<Response>) => (answered = response),
    waitUntil: (promise: Promise<unknown>) => pending.push(promise),
  });
  return { answered, pending };
}

/** The worker's answer, once it has stored what it wants to. */
async function ask(url: string, asked?: Asked) {
  const { answered, pending } = request(url, asked);
  const response = await answered;
  for (let done = 0; done < pending.length; done += 1) await pending[done];
  return response;
}

beforeEach(async () => {
  vi.resetModules();
  listeners.clear();
  network.mockReset();
  vi.stubGlobal("BUILD", "b1");
  vi.stubGlobal("ASSETS", []);
  vi.stubGlobal("caches", memoryCaches());
  vi.stubGlobal("fetch", network);
  vi.stubGlobal("self", {
    location: { origin: ORIGIN },
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  });
  await import("./serviceWorker");
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function store(path: string): Promise<void> {
  network.mockImplementation((request) =>
    Promise.resolve(typeof request === "string" ? answer("no file", 404) : answer(page(path))),
  );
  await ask(`/_data${path}`);
  network.mockReset();
}

it("shows what it has stored when the network fails, with its age", async () => {
  await store("/deals");
  network.mockRejectedValue(new TypeError("Failed to fetch"));
  const answered = (await (await ask("/_data/deals"))?.json()) as unknown;
  expect(answered).toEqual({ ...page("/deals"), stored: expect.any(Number) as number });
});

it("gives a page of another build nothing that it has stored", async () => {
  await store("/deals");
  network.mockRejectedValue(new TypeError("Failed to fetch"));
  expect((await ask("/_data/deals", { headers: { "vitrine-build": "b2" } }))?.type).toBe("error");
});

it.each([404, 500, 503])("passes an answer %i on, though it has a page", async (status) => {
  await store("/deals");
  network.mockResolvedValue(answer({}, status));
  expect((await ask("/_data/deals"))?.status).toBe(status);
});

it.each([
  ["a POST", "/_data/deals", { method: "POST" }],
  ["a HEAD", "/_data/deals", { method: "HEAD" }],
  ["a part of an answer", "/_data/deals", { headers: { range: "bytes=0-9" } }],
  ["another host", "https://pictures.example/1.png", {}],
  ["a picture", "/sample-images/1.svg", {}],
  ["a file of another build", "/assets/entry-OTHER.js", {}],
])("leaves %s to the browser", async (_, url, asked) => {
  expect(await ask(url, asked)).toBeUndefined();
  expect(network).not.toHaveBeenCalled();
});

it("shows a stored page after ten seconds without an answer", async () => {
  await store("/deals");
  vi.useFakeTimers();
  network.mockReturnValue(new Promise(() => undefined));
  const shown = vi.fn<(response: Response) => void>();
  void request("/_data/deals").answered?.then(shown);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(shown).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await shown.mock.calls[0]?.[0].json()).toHaveProperty("stored");
});

it("waits as long as it takes for a page that is not stored", async () => {
  vi.useFakeTimers();
  const late = new Promise<Response>((resolve) => setTimeout(resolve, 60_000, answer(page("/brands"), 200, {})));
  network.mockReturnValue(late);
  const { answered } = request("/_data/brands");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await (await answered)?.json()).toEqual(page("/brands"));
});

it("answers from the network when the storage throws", async () => {
  const full = () => Promise.reject(new Error("QuotaExceededError"));
  vi.stubGlobal("caches", { open: full, match: full });
  network.mockResolvedValue(answer(page("/deals")));
  expect(await (await ask("/_data/deals"))?.json()).toEqual(page("/deals"));
  network.mockRejectedValue(new TypeError("Failed to fetch"));
  expect((await ask("/_data/deals"))?.type).toBe("error");
});

it("lets a document that is asked for ahead of the visitor fail, and stores it when it comes", async () => {
  const template = `<div id="root"></div><script type="application/json" id="page-data">${JSON.stringify(page("/offline"))}</script>`;
  network.mockImplementation(() => Promise.resolve(html(template)));
  const ahead = { mode: "navigate", headers: { "sec-purpose": "prefetch;prerender" } } as const;
  expect((await ask("/offline", ahead))?.status).toBe(200);
  network.mockRejectedValue(new TypeError("Failed to fetch"));
  expect((await ask("/offline", ahead))?.type).toBe("error");
  expect((await ask("/offline", { mode: "navigate" }))?.status).toBe(200);
});

it("keeps the texts that a document names, and gives them to pages without a connection", async () => {
  const texts = "/texts/b1-00ff.js";
  const template = `<link id="texts" rel="modulepreload" href="${texts}"><div id="root"></div><script type="application/json" id="page-data">${JSON.stringify(page("/offline"))}</script>`;
  network.mockImplementation((request) => {
    const path = typeof request === "string" ? request : new URL(request.url).pathname;
    if (path === texts) return Promise.resolve(answer("export default []", 200, { "cache-control": "public, max-age=31536000, immutable" }));
    return Promise.resolve(path === "/offline" ? html(template) : answer(page("/deals")));
  });
  await ask("/_data/deals");
  network.mockReset();
  network.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await (await ask(texts, { headers: {} }))?.json()).toBe("export default []");
  expect(network).not.toHaveBeenCalled();
  const answered = await ask("/deals", { mode: "navigate" });
  expect(await answered?.text()).toContain(`href="${texts}"`);
});

it("names the stored pages although one of them cannot be read", async () => {
  const template = `<div id="root"></div><script type="application/json" id="page-data">${JSON.stringify(page("/offline"))}</script>`;
  await (await caches.open("vitrine-files-b1")).put("/offline", new Response(template));
  await store("/deals");
  const pages = await caches.open("vitrine-pages-b1");
  const headers = { ...HEADERS, "vitrine-stored-at": String(Date.now()) };
  const lost = new Response("", { headers });
  Object.defineProperty(lost, "clone", { value: () => ({ headers: lost.headers, json: () => Promise.reject(new Error("lost")) }) });
  await pages.put("/lost", lost);
  await pages.put("/cut", new Response('{"path":"/cut"', { headers }));
  await pages.put("/other", new Response("{}", { headers }));
  network.mockRejectedValue(new TypeError("Failed to fetch"));
  const answered = await ask("/sale", { mode: "navigate" });
  expect(answered?.status).toBe(200);
  const html = (await answered?.text()) ?? "";
  expect(html).toContain('"stored":[{"href":"/deals","title":"T"}]');
});
