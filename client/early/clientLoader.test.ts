import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clientLoader } from "./clientLoader";
import type { ClientModule } from "./clientLoader";

const ADDRESS = "/assets/entry-A.js";

const reload = vi.fn();
const report = vi.fn();
const network = vi.fn<typeof fetch>();
let pressed: string[];

beforeEach(() => {
  sessionStorage.clear();
  document.documentElement.dataset.client = "awaited";
  document.body.innerHTML = '<button type="button">Add</button>';
  pressed = [];
  for (const mock of [reload, report, network]) mock.mockReset();
  vi.stubGlobal("fetch", network);
  vi.stubGlobal("reportError", report);
  vi.spyOn(window.location, "reload").mockImplementation(reload);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function press(): void {
  document.querySelector("button")?.click();
}

function listen(): void {
  document.querySelector("button")?.addEventListener("click", () => pressed.push("add"));
}

/** A client that listens like React and then lets the presses be repeated. */
const client: ClientModule = {
  start: (repeatPresses) => {
    listen();
    void repeatPresses();
  },
};

const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
const isAwaited = () => document.documentElement.dataset.client === "awaited";

it("lets the client repeat what was pressed before it came, and while it came", async () => {
  let arrive: (module: ClientModule) => void = () => undefined;
  const load = clientLoader(ADDRESS, () => new Promise((resolve) => (arrive = resolve)));
  press();
  load();
  press();
  arrive(client);
  await vi.waitFor(() => {
    expect(pressed).toHaveLength(2);
  });
  press();
  expect(pressed).toHaveLength(3);
  expect(network).not.toHaveBeenCalled();
});

it("takes the promise of a client back when it cannot be loaded, and lets presses do what they do without one", async () => {
  network.mockRejectedValue(new TypeError("no connection"));
  const load = clientLoader(ADDRESS, gone);
  press();
  listen();
  load();
  await vi.waitFor(() => {
    expect(report).toHaveBeenCalledTimes(1);
  });
  expect(isAwaited()).toBe(false);
  expect(pressed).toEqual(["add"]);
  expect(reload).not.toHaveBeenCalled();
});

it("lets presses do what they do without a client when it takes too long, and take effect once when it comes then", async () => {
  vi.useFakeTimers();
  let arrive: (module: ClientModule) => void = () => undefined;
  const load = clientLoader(ADDRESS, () => new Promise((resolve) => (arrive = resolve)));
  press();
  load();
  listen();
  vi.advanceTimersByTime(9_999);
  expect(isAwaited()).toBe(true);
  expect(pressed).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(isAwaited()).toBe(false);
  expect(pressed).toEqual(["add"]);

  const start = vi.fn((repeatPresses: () => Promise<void>) => void repeatPresses());
  arrive({ start });
  await vi.runAllTimersAsync();
  expect(start).toHaveBeenCalledTimes(1);
  expect(pressed).toEqual(["add"]);
  expect(report).not.toHaveBeenCalled();
});

it("does not load the page again when the client fails by itself", async () => {
  network.mockResolvedValue(new Response(null));
  const broken = new Error("out of order");
  clientLoader(ADDRESS, () => Promise.resolve({ start: () => { throw broken; } }))();
  await vi.waitFor(() => {
    expect(report).toHaveBeenCalledWith(broken);
  });
  expect(reload).not.toHaveBeenCalled();
});

it("loads a page of an earlier build again, once, until a client has come", async () => {
  network.mockResolvedValue(new Response(null, { status: 404 }));
  clientLoader(ADDRESS, gone)();
  await vi.waitFor(() => {
    expect(reload).toHaveBeenCalledTimes(1);
  });
  expect(network).toHaveBeenCalledWith(ADDRESS, expect.objectContaining({ method: "HEAD" }));
  expect(isAwaited()).toBe(true);

  // The next document's client is gone, too.
  clientLoader("/assets/entry-B.js", gone)();
  await vi.waitFor(() => {
    expect(isAwaited()).toBe(false);
  });
  expect(reload).toHaveBeenCalledTimes(1);

  const start = vi.fn();
  clientLoader(ADDRESS, () => Promise.resolve({ start }))();
  await vi.waitFor(() => {
    expect(start).toHaveBeenCalledTimes(1);
  });
  clientLoader(ADDRESS, gone)();
  await vi.waitFor(() => {
    expect(reload).toHaveBeenCalledTimes(2);
  });
});

it("does not load a page again where nothing can be stored, because it could not stop", async () => {
  network.mockResolvedValue(new Response(null, { status: 404 }));
  vi.stubGlobal("sessionStorage", { getItem: () => { throw new Error("denied"); } });
  clientLoader(ADDRESS, gone)();
  await vi.waitFor(() => {
    expect(report).toHaveBeenCalledTimes(1);
  });
  expect(reload).not.toHaveBeenCalled();
});
