import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Page } from "../contract.gen";
import { pageAt } from "../test/testing";
import { isOfOtherBuild, loadPage } from "./data";
import { createPageRouter } from "./pageRouter";

vi.mock("./data", () => ({ loadPage: vi.fn(), isOfOtherBuild: vi.fn() }));

const load = vi.mocked(loadPage);

/** A load that the test answers. */
function pending() {
  let resolve: (page: Page) => void = () => undefined;
  load.mockReturnValueOnce(
    new Promise((answer) => {
      resolve = answer;
    }),
  );
  return {
    resolve: (page: Page) => {
      resolve(page);
    },
  };
}

function started() {
  window.history.replaceState(null, "", "/");
  const router = createPageRouter(pageAt("/"));
  stop = router.start("/");
  router.followHistory();
  return router;
}

let stop: () => void = () => undefined;

const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  sessionStorage.clear();
  load.mockReset();
  vi.mocked(isOfOtherBuild).mockReset();
});

afterEach(() => {
  stop();
});

describe("the page router", () => {
  it("starts from the given page without loading", () => {
    expect(createPageRouter(pageAt("/brands?x=1")).getState().visit.location).toMatchObject({
      pathname: "/brands",
      search: "?x=1",
    });
    expect(load).not.toHaveBeenCalled();
  });

  it("shows the next page, and writes its address, once it is loaded", async () => {
    const router = started();
    const answer = pending();
    router.navigator.push("/brands");
    expect(router.getState().next?.pathname).toBe("/brands");
    expect(window.location.pathname).toBe("/");
    answer.resolve(pageAt("/brands"));
    await settled();
    expect(router.getState()).toMatchObject({ next: undefined, visit: { outcome: { path: "/brands" }, scroll: 0 } });
    expect(window.location.pathname).toBe("/brands");
  });

  it("drops the answer of a navigation that was left", async () => {
    const router = started();
    const [first, second] = [pending(), pending()];
    router.navigator.push("/deals");
    router.navigator.push("/brands");
    second.resolve(pageAt("/brands"));
    await settled();
    first.resolve(pageAt("/deals"));
    await settled();
    expect(router.getState().visit.outcome).toMatchObject({ path: "/brands" });
  });

  it("makes a change of page that still waits for its transition before the next one", async () => {
    const never = new Promise<never>(() => undefined);
    const startViewTransition = () => ({ ready: never, updateCallbackDone: never, finished: never });
    Object.assign(document, { startViewTransition });
    try {
      const router = started();
      load.mockResolvedValueOnce(pageAt("/deals"));
      router.navigator.push("/deals");
      await settled();
      expect(router.getState().visit.outcome).toMatchObject({ path: "/" });
      const answer = pending();
      router.navigator.push("/deals?stock=1");
      expect(router.getState().visit.outcome).toMatchObject({ path: "/deals" });
      answer.resolve(pageAt("/deals?stock=1"));
      await settled();
      expect(router.getState().visit.outcome).toMatchObject({ path: "/deals?stock=1" });
    } finally {
      Reflect.deleteProperty(document, "startViewTransition");
    }
  });

  it.each([
    ["none, but fades itself,", false, 1],
    ["a transition", true, 0],
  ])("adds no transition where the browser shows %s when it goes back", async (_, hasUAVisualTransition, transitions) => {
    vi.spyOn(window, "requestAnimationFrame").mockImplementation((run) => { run(0); return 0; });
    const startViewTransition = vi.fn((update: () => void) => {
      update();
      return { ready: Promise.resolve(), updateCallbackDone: Promise.resolve(), finished: Promise.resolve() };
    });
    const router = started();
    const home: unknown = window.history.state;
    load.mockResolvedValueOnce(pageAt("/brands"));
    router.navigator.push("/brands");
    await settled();
    Object.assign(document, { startViewTransition });
    try {
      window.history.replaceState(home, "", "/");
      window.dispatchEvent(Object.assign(new PopStateEvent("popstate"), { hasUAVisualTransition }));
      await settled();
      await settled();
      expect(router.getState().visit.outcome).toMatchObject({ path: "/" });
      expect(startViewTransition).toHaveBeenCalledTimes(transitions);
    } finally {
      Reflect.deleteProperty(document, "startViewTransition");
    }
  });

  it("shows the page that the visitor has gone back to before the first one was taken over, once it is", async () => {
    window.history.replaceState(null, "", "/brands");
    const router = createPageRouter(pageAt("/"));
    stop = router.start("/");
    window.dispatchEvent(new PopStateEvent("popstate"));
    await settled();
    expect(load).not.toHaveBeenCalled();
    expect(router.getState().visit).toMatchObject({ location: { pathname: "/" }, outcome: { path: "/" } });
    load.mockResolvedValueOnce(pageAt("/brands"));
    router.followHistory();
    await settled();
    expect(router.getState().visit).toMatchObject({ location: { pathname: "/brands" }, outcome: { path: "/brands" } });
  });

  it("loads nothing when the address is the one that the document came from, however its page writes it", () => {
    window.history.replaceState(null, "", "/?utm_source=mail");
    const router = createPageRouter(pageAt("/"));
    stop = router.start("/?utm_source=mail");
    router.followHistory();
    expect(load).not.toHaveBeenCalled();
  });

  it("takes the address of the page that came after a redirect", async () => {
    const router = started();
    load.mockResolvedValueOnce(pageAt("/category/beauty"));
    router.navigator.push("/category/Beauty");
    await settled();
    expect(window.location.pathname).toBe("/category/beauty");
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("shows why a page could not be loaded", async () => {
    const router = started();
    load.mockRejectedValueOnce(new Error("Failed to fetch"));
    router.navigator.push("/brands");
    await settled();
    expect(router.getState().visit.outcome).toEqual(new Error("Failed to fetch"));
  });

  it("keeps the page when a change of it fails, and changes it once that can be loaded", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const router = started();
    load.mockRejectedValueOnce(new Error("Failed to fetch"));
    router.navigator.push("/?page=2");
    await settled();
    expect(router.getState()).toMatchObject({ visit: { outcome: { path: "/" } }, next: undefined, failed: { to: { search: "?page=2" } } });
    expect(window.location.search).toBe("");
    expect(log.mock.calls).toEqual([["A change of the page failed:", "Failed to fetch"]]);

    load.mockResolvedValueOnce(pageAt("/?page=2"));
    window.dispatchEvent(new Event("online"));
    await settled();
    expect(router.getState()).toMatchObject({ visit: { outcome: { path: "/?page=2" } }, failed: undefined });
    expect(window.location.search).toBe("?page=2");
  });

  it("tries a page again, once, if the connection came back before it failed", async () => {
    const router = started();
    let fail: (error: Error) => void = () => undefined;
    load.mockReturnValueOnce(
      new Promise((_, reject) => {
        fail = reject;
      }),
    );
    router.navigator.push("/brands");
    window.dispatchEvent(new Event("online"));
    load.mockRejectedValueOnce(new Error("Failed to fetch again"));
    fail(new Error("Failed to fetch"));
    await settled();
    expect(router.getState()).toMatchObject({ visit: { outcome: new Error("Failed to fetch again") }, next: undefined });
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("keeps the page when the host answers a change with a failure", async () => {
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    const router = started();
    load.mockResolvedValueOnce({ ...pageAt("/?page=2"), status: 503 });
    router.navigator.push("/?page=2");
    await settled();
    expect(router.getState()).toMatchObject({ visit: { outcome: { path: "/" } }, failed: { to: { search: "?page=2" } } });
  });

  it("forgets a failed change with the next navigation", async () => {
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    const router = started();
    load.mockRejectedValueOnce(new Error("Failed to fetch"));
    router.navigator.push("/?page=2");
    await settled();
    load.mockResolvedValueOnce(pageAt("/brands"));
    router.navigator.push("/brands");
    await settled();
    expect(router.getState()).toMatchObject({ visit: { outcome: { path: "/brands" } }, failed: undefined });
  });

  it("loads a page that failed again when it is asked to", async () => {
    const router = started();
    load.mockRejectedValueOnce(new Error("Failed to fetch"));
    router.navigator.push("/brands");
    await settled();
    load.mockResolvedValueOnce(pageAt("/brands"));
    router.retry();
    await settled();
    expect(router.getState().visit.outcome).toMatchObject({ path: "/brands" });
  });

  describe("when another build answers", () => {
    const assign = vi.fn<(address: string | URL) => void>();
    const reload = vi.fn();

    /** Navigates to a page that another build answers, after an event of the visitor or of a script. */
    async function navigated(isTrusted: boolean, navigate: (router: ReturnType<typeof started>) => void) {
      vi.spyOn(window.location, "assign").mockImplementation(assign.mockReset());
      vi.spyOn(window.location, "reload").mockImplementation(reload.mockReset());
      vi.mocked(isOfOtherBuild).mockReturnValue(true);
      const router = started();
      window.dispatchEvent(event("click", isTrusted));
      load.mockResolvedValueOnce(pageAt("/brands?x=1"));
      navigate(router);
      await settled();
      return router;
    }

    function event(type: string, isTrusted: boolean) {
      return Object.defineProperty(new PopStateEvent(type), "isTrusted", { value: isTrusted });
    }

    it("leaves for the page's document, and shows nothing of the data", async () => {
      const state = (await navigated(true, ({ navigator }) => { navigator.push("/brands?x=1"); })).getState();
      expect(assign.mock.calls).toEqual([["/brands?x=1"]]);
      expect(state).toMatchObject({ visit: { outcome: { path: "/" } }, next: { pathname: "/brands" } });
      expect(window.location.pathname).toBe("/");
    });

    it.each([
      ["a change within the page", "push", "/brands?x=1", { preventScrollReset: true }],
      ["a page that replaces another", "replace", "/brands?x=1", {}],
    ] as const)("reloads the new address of %s, which keeps its place", async (_, how, to, options) => {
      const state = (await navigated(true, ({ navigator }) => { navigator[how](to, { serial: 1 }, options); })).getState();
      expect(reload).toHaveBeenCalledOnce();
      expect(assign).not.toHaveBeenCalled();
      expect(window.location.pathname + window.location.search).toBe("/brands?x=1");
      expect(window.history.state).toMatchObject({ state: { serial: 1 } });
      expect(state.visit.outcome).toMatchObject({ path: "/" });
    });

    it("takes the anchor of another page along", async () => {
      await navigated(true, ({ navigator }) => { navigator.push("/brands?x=1#all"); });
      expect(assign.mock.calls).toEqual([["/brands?x=1#all"]]);
    });

    it("reloads the page itself, for which the browser might load nothing", async () => {
      await navigated(true, ({ navigator }) => { navigator.push("/"); });
      expect(reload).toHaveBeenCalledOnce();
      expect(assign).not.toHaveBeenCalled();
    });

    it("shows no sign of loading when the visitor comes back from that document", async () => {
      const router = await navigated(true, ({ navigator }) => { navigator.push("/brands?x=1"); });
      const show = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
      show(false);
      expect(router.getState().next).toBeDefined();
      show(true);
      expect(router.getState()).toMatchObject({ visit: { outcome: { path: "/" } }, next: undefined });
    });

    it("reloads the address that back or forward has led to", async () => {
      await navigated(false, () => {
        window.history.replaceState(null, "", "/brands?x=1");
        window.dispatchEvent(event("popstate", true));
      });
      expect(reload).toHaveBeenCalledOnce();
    });

    it("loads a document once for what comes before the visitor's first press, so that there is no loop", async () => {
      const untouched = () => navigated(false, ({ navigator }) => { navigator.push("/brands?x=1"); });
      expect((await untouched()).getState().visit.outcome).toMatchObject({ path: "/" });
      expect(assign).toHaveBeenCalledOnce();
      stop();
      const state = (await untouched()).getState();
      expect(assign).not.toHaveBeenCalled();
      expect(reload).not.toHaveBeenCalled();
      expect(state.visit.outcome).toMatchObject({ path: "/brands?x=1" });
    });
  });

  it("keeps the scroll position of a change within the page, and its state", async () => {
    const router = started();
    load.mockResolvedValueOnce(pageAt("/products?stock=1"));
    router.navigator.replace("/products?stock=1", { serial: 1 }, { preventScrollReset: true });
    await settled();
    expect(router.getState().visit).toMatchObject({ scroll: null, location: { state: { serial: 1 } } });
  });

  it("shows a page that was left a moment ago without asking again", async () => {
    const router = started();
    const home: unknown = window.history.state;
    load.mockResolvedValueOnce(pageAt("/brands"));
    router.navigator.push("/brands");
    await settled();
    window.history.replaceState(home, "", "/");
    window.dispatchEvent(new PopStateEvent("popstate"));
    await settled();
    expect(router.getState().visit.outcome).toMatchObject({ path: "/" });
    expect(load).toHaveBeenCalledTimes(1);
  });
});
