import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isFirstLoadOf } from "./loadDocumentOnce";

/** The module as a new document has it: it remembers nothing. */
async function newDocument() {
  vi.resetModules();
  // eslint-disable-next-line no-restricted-syntax -- Each import is a module of its own.
  return (await import("./loadDocumentOnce")).loadDocumentOnce;
}

let reload: ReturnType<typeof vi.fn>;
let now: number;

beforeEach(() => {
  sessionStorage.clear();
  reload = vi.fn();
  now = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(window.location, "reload").mockImplementation(reload as () => void);
  window.history.replaceState(null, "", "/products?sort=price-asc");
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("loads the document once, whatever else fails meanwhile", async () => {
  const loadDocumentOnce = await newDocument();
  expect([loadDocumentOnce(), loadDocumentOnce()]).toEqual([true, true]);
  expect(reload).toHaveBeenCalledTimes(1);
});

it("does not load it again a moment later, but for another address or half a minute later", async () => {
  expect((await newDocument())()).toBe(true);
  now += 29_000;
  expect((await newDocument())()).toBe(false);
  window.history.replaceState(null, "", "/products");
  expect((await newDocument())()).toBe(true);
  now += 31_000;
  expect((await newDocument())()).toBe(true);
  expect(reload).toHaveBeenCalledTimes(3);
});

it("loads it again after a load that the visitor has stopped", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const loadDocumentOnce = await newDocument();
    loadDocumentOnce();
    vi.advanceTimersByTime(30_000);
    expect(loadDocumentOnce()).toBe(false);
    now += 31_000;
    expect(loadDocumentOnce()).toBe(true);
    expect(reload).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

it("remembers each address, so that two documents do not load each other for ever", () => {
  const paths = ["/deals", "/brands", "/deals", "/brands", "/deals?page=2"];
  expect(paths.map(isFirstLoadOf)).toEqual([true, true, false, false, true]);
});

it("never loads it where nothing can be remembered", async () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => {
      throw new DOMException("", "SecurityError");
    },
  });
  expect((await newDocument())()).toBe(false);
  expect(isFirstLoadOf("/deals")).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});
