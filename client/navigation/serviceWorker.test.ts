import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { installServiceWorker } from "./serviceWorker";

const register = vi.fn<(address: unknown, options: unknown) => Promise<void>>();

beforeEach(() => {
  register.mockReset().mockResolvedValue(undefined);
  vi.stubGlobal("requestIdleCallback", (run: () => void) => { run(); });
  Object.defineProperty(navigator, "serviceWorker", { value: { register }, configurable: true });
  document.head.innerHTML = '<meta name="service-worker" content="/service-worker.js">';
  vi.spyOn(document, "readyState", "get").mockReturnValue("complete");
});

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.innerHTML = "";
  Reflect.deleteProperty(navigator, "serviceWorker");
});

it("registers the worker's one address, through the policy where there are Trusted Types", () => {
  installServiceWorker();
  expect(register).toHaveBeenLastCalledWith("/service-worker.js", { updateViaCache: "none" });

  const trusted = { trusted: "" };
  const createPolicy = vi.fn((_: string, rules: { createScriptURL: (url: string) => string }) => ({
    createScriptURL: () => Object.assign(trusted, { trusted: rules.createScriptURL("https://evil.example/") }),
  }));
  vi.stubGlobal("trustedTypes", { createPolicy });
  installServiceWorker();
  expect(createPolicy.mock.calls[0]?.[0]).toBe("service-worker");
  expect(register.mock.calls[1]?.[0]).toBe(trusted);
  expect(trusted).toEqual({ trusted: "/service-worker.js" });
});

it("waits until the page has loaded", () => {
  vi.spyOn(document, "readyState", "get").mockReturnValue("interactive");
  installServiceWorker();
  expect(register).not.toHaveBeenCalled();
  window.dispatchEvent(new Event("load"));
  expect(register).toHaveBeenCalledOnce();
});

it("does nothing when the host does not offer the worker", () => {
  document.head.innerHTML = "";
  installServiceWorker();
  expect(register).not.toHaveBeenCalled();
});

it("is silent where the browser refuses or has no workers", async () => {
  register.mockRejectedValue(new DOMException("refused", "SecurityError"));
  installServiceWorker();
  Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });
  installServiceWorker();
  // An unhandled rejection would fail the run.
  await Promise.resolve();
  expect(register).toHaveBeenCalledOnce();
});
