import type { Page } from "../contract.gen";
import { loadPage } from "../data";
import { createPath, NavigationType } from "../router";
import type { Location, Navigator } from "../router";
import { createRecentMap } from "./createRecentMap";
import { crossFade } from "./crossFade";
import { currentEntry, newKey, writeEntry } from "./historyEntry";
import { createScrollMemory } from "./scrollMemory";
import { firstVisit, pathOf, resolve } from "./visit";
import type { Visit } from "./visit";

interface PageRouterState {
  visit: Visit;
  /** Where the shopper is going while its page loads. */
  next: Location<unknown> | undefined;
}

interface Leaving {
  to: Location<unknown>;
  type: NavigationType;
  /** A change within the page, such as a filter, stays where the shopper is. */
  keepScroll: boolean;
}

export type PageRouter = ReturnType<typeof createPageRouter>;

/** How many visited pages the back button shows without asking again. */
const KEPT_PAGES = 12;

/**
 * What is shown, and how it changes: loads the page of the next address, drops late answers, writes
 * the history. It starts from a page that is already there, and leaves the browser alone until started.
 */
export function createPageRouter(first: Page) {
  let state: PageRouterState = { visit: firstVisit(first), next: undefined };
  let loading: AbortController | undefined;
  const listeners = new Set<() => void>();
  const kept = createRecentMap<Page>(KEPT_PAGES);
  const scroll = createScrollMemory();

  function set(change: Partial<PageRouterState>) {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  async function leave(leaving: Leaving) {
    const { to } = leaving;
    loading?.abort();
    const { signal } = (loading = new AbortController());
    // The stand-in of a page that loads is scrolled for itself; the place was remembered on leaving.
    if (state.next === undefined) scroll.remember(state.visit.location.key);

    const known = knownPage(leaving);
    set({ next: known === undefined ? to : undefined });
    const outcome = known ?? (await loadPage(to.pathname + to.search, signal).catch(asError));
    if (!signal.aborted) arrive(leaving, outcome);
  }

  /** A page that needs no loading: the one shown, when only the anchor changes, or one of the last visited. */
  function knownPage({ to, type }: Leaving): Page | Error | undefined {
    const path = to.pathname + to.search;
    const { location, outcome } = state.visit;
    const back = type === NavigationType.Pop;
    if (location.pathname + location.search === path && (back || to.hash !== "")) return outcome;
    const page = back ? kept.get(to.key) : undefined;
    return page?.path === path ? page : undefined;
  }

  function arrive({ to, type, keepScroll }: Leaving, outcome: Page | Error) {
    // The host may have redirected: the address is that of the page that came.
    const location = outcome instanceof Error ? to : { ...to, ...pathOf(outcome) };
    writeEntry(location, type === NavigationType.Push ? "push" : "replace");
    if (!(outcome instanceof Error)) kept.set(location.key, outcome);

    const update = () => {
      const next = state.next === to ? undefined : state.next;
      set({ visit: { location, type, outcome, scroll: keepScroll ? null : scrollFor(location, type) }, next });
    };
    if (location.pathname === state.visit.location.pathname) update();
    else crossFade(update);
  }

  function scrollFor({ key, hash }: Location<unknown>, type: NavigationType): number | null {
    const remembered = type === NavigationType.Pop ? scroll.recall(key) : undefined;
    return remembered ?? (hash === "" ? 0 : null);
  }

  function follow(type: NavigationType): Navigator["push"] {
    return (to, entryState: unknown, options) => {
      const location = { ...resolve(to), key: newKey(), state: entryState };
      void leave({ to: location, type, keepScroll: options?.preventScrollReset === true });
    };
  }

  const navigator: Navigator = {
    createHref: (to) => (typeof to === "string" ? to : createPath(to)),
    go: (steps) => {
      window.history.go(steps);
    },
    push: follow(NavigationType.Push),
    replace: follow(NavigationType.Replace),
  };

  /** Takes over from the browser: its back and forward buttons, and where the window scrolls. */
  function start(): () => void {
    const { key, state: entryState } = currentEntry();
    const { visit } = state;
    set({ visit: { ...visit, location: { ...visit.location, key, state: entryState } } });
    kept.set(key, first);
    scroll.load();

    const started = new AbortController();
    const on = (type: string, listener: () => void) => {
      window.addEventListener(type, listener, { signal: started.signal });
    };
    const takeOverScroll = () => {
      window.history.scrollRestoration = "manual";
    };
    takeOverScroll();
    on("pageshow", takeOverScroll);
    on("pagehide", () => {
      scroll.remember(state.visit.location.key);
      scroll.save();
      // A reload, or a return from another site, is the browser's own to restore.
      window.history.scrollRestoration = "auto";
    });
    on("popstate", () => {
      void leave({ to: currentEntry(), type: NavigationType.Pop, keepScroll: false });
    });
    return () => {
      started.abort();
    };
  }

  return {
    navigator,
    start,
    getState: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
