import type { Page } from "../contract.gen";
import { afterNextPaint } from "./afterNextPaint";
import { createBoundedMap } from "./createBoundedMap";
import { crossFade } from "./crossFade";
import { isOfOtherBuild } from "./data";
import { currentEntry, moveBy, newKey, rewriteEntry, setScrollRestoration, writeEntry } from "./history";
import { isFirstLoadOf } from "./loadDocumentOnce";
import { createPageLoader } from "./pageLoader";
import { createPath, NavigationType } from "./router";
import type { Location, Navigator } from "./router";
import { createScrollMemory } from "./scrollMemory";
import { storedText } from "./storedText";
import { firstVisit, pathOf, resolve } from "./visit";
import type { Visit } from "./visit";

export interface PageRouterState {
  visit: Visit;
  /** The location whose page is being loaded. */
  next: Location<unknown> | undefined;
  /** The last change within the page, if it failed; the page stayed as it was. */
  failed: Navigation | undefined;
}

export interface Navigation {
  to: Location<unknown>;
  type: NavigationType;
  /** Set for a change within the page, such as a filter. */
  keepScroll: boolean;
  /** The browser shows a transition of its own, as for a swipe back. */
  isAnimated?: boolean | undefined;
}

export type PageRouter = ReturnType<typeof createPageRouter>;

/** How many visited pages the back button shows without loading them again. */
const MAX_VISITED_PAGES = 12;

/**
 * Holds the current page and changes it: loads the page of the next location, ignores answers that
 * come too late, and writes the history. The server creates a router too, so nothing touches the
 * browser before `start`.
 */
export function createPageRouter(first: Page) {
  let state: PageRouterState = { visit: firstVisit(first), next: undefined, failed: undefined };
  let loading: AbortController | undefined;
  let finishChange: (() => void) | undefined;
  let rememberScroll: (() => void) | undefined;
  /** The location whose page was being loaded when the connection came back. */
  let backOnlineFor: Location<unknown> | undefined;
  /** Whether the visitor has used the document; the events of scripts do not count. */
  let isTouched = false;
  /** The path and query that the document was loaded from, until React has taken over its elements. */
  let loadedFrom: string | undefined;
  const listeners = new Set<() => void>();
  const loader = createPageLoader();
  const visitedPages = createBoundedMap<Page>(MAX_VISITED_PAGES);
  const scroll = createScrollMemory();

  function setState(change: Partial<PageRouterState>) {
    state = { ...state, ...change };
    notify();
  }

  function notify() {
    for (const listener of listeners) listener();
  }

  async function navigate(navigation: Navigation) {
    const { to } = navigation;
    // Otherwise a page that waits for its transition could replace the one that is asked for now.
    finishChange?.();
    loading?.abort();
    const { signal } = (loading = new AbortController());
    // While a page is loading, a placeholder may be shown, and its scroll position means nothing.
    if (state.next === undefined) rememberScroll = rememberScrollOf(state.visit);
    const available = availablePage(navigation);
    state = { ...state, next: available === undefined ? to : undefined, failed: undefined };
    // Reading the position and rendering the sign of loading would delay the frame that answers the press.
    afterNextPaint(() => {
      rememberScroll?.();
      notify();
    });
    const path = to.pathname + to.search;
    const outcome = available ?? (await loader.load(path, signal).catch(asError));
    if (signal.aborted) return;
    // It began without a connection. No other event would come to try it again.
    if (outcome instanceof Error && backOnlineFor === to) {
      backOnlineFor = undefined;
      void navigate(navigation);
      return;
    }
    // The shop has been updated. The page stays, with its sign of loading, until the new document is here. A document
    // that the visitor has not used loads another one only once, so there is no loop, whatever is answered.
    if (isOfOtherBuild(outcome) && (isTouched || isFirstLoadOf(path))) {
      loadDocument(navigation);
      return;
    }
    if (isFailure(outcome) && keepsPage(navigation)) {
      console.log("A change of the page failed:", outcome instanceof Error ? outcome.message : outcome.status);
      setState({ next: undefined, failed: navigation });
    } else {
      show(navigation, outcome);
    }
  }

  function rememberScrollOf({ location: { key } }: Visit): () => void {
    return () => {
      rememberScroll = undefined;
      scroll.remember(key);
    };
  }

  /**
   * Whether the current page stays when a navigation fails: a change of it, such as a filter, must not
   * take away what the visitor was looking at. After back and forward the address has changed already.
   */
  function keepsPage({ to, type }: Navigation): boolean {
    const { location, outcome } = state.visit;
    return type !== NavigationType.Pop && to.pathname === location.pathname && !isFailure(outcome);
  }

  /** Tries again what failed: a change of the page, or the page itself, even if a stored copy stands in for it. */
  function retry() {
    const { visit, failed } = state;
    if (failed !== undefined) void navigate(failed);
    else if (!isCurrent(visit.outcome)) {
      void navigate({ to: visit.location, type: NavigationType.Replace, keepScroll: !isFailure(visit.outcome) });
    }
  }

  /** What can be shown without loading: the current page, when only the anchor changes, or a visited one. */
  function availablePage({ to, type }: Navigation): Page | Error | undefined {
    const path = to.pathname + to.search;
    const { location, outcome } = state.visit;
    const isTraversal = type === NavigationType.Pop;
    // A stored copy is as good for another anchor; only a retry, which is for the same location, replaces it.
    const isUsable = isCurrent(outcome) || (!isFailure(outcome) && to !== location);
    const isSamePage = location.pathname + location.search === path && isUsable;
    if (isSamePage && (isTraversal || to.hash !== "")) return outcome;
    const page = isTraversal ? visitedPages.get(to.key) : undefined;
    return page?.path === path ? page : undefined;
  }

  function show({ to, type, keepScroll, isAnimated }: Navigation, outcome: Page | Error) {
    rememberScroll?.();
    // After a redirect the page has another path than the one that was asked for.
    const location = outcome instanceof Error ? to : { ...to, ...pathOf(outcome) };
    writeEntry(location, type === NavigationType.Push ? "push" : "replace");
    if (isCurrent(outcome)) visitedPages.set(location.key, outcome);
    const update = () => {
      const next = state.next === to ? undefined : state.next;
      setState({ visit: { location, type, outcome, scroll: keepScroll ? null : scrollTarget(location, type) }, next });
    };
    if (location.pathname === state.visit.location.pathname || isAnimated === true) update();
    else finishChange = crossFade(update);
  }

  function scrollTarget({ key, hash }: Location<unknown>, type: NavigationType): number | null {
    const remembered = type === NavigationType.Pop ? scroll.recall(key) : undefined;
    return remembered ?? (hash === "" ? 0 : null);
  }

  function navigateAs(type: NavigationType): Navigator["push"] {
    return (to, entryState: unknown, options) => {
      const location = { ...resolve(to), key: newKey(), state: entryState };
      void navigate({ to: location, type, keepScroll: options?.preventScrollReset === true });
    };
  }

  const navigator: Navigator = {
    createHref: (to) => (typeof to === "string" ? to : createPath(to)),
    go: moveBy,
    push: navigateAs(NavigationType.Push),
    replace: navigateAs(NavigationType.Replace),
  };

  /** Shows the page of the history's current entry. */
  function showCurrentEntry(isAnimated?: boolean) {
    void navigate({ to: currentEntry(), type: NavigationType.Pop, keepScroll: false, isAnimated });
  }

  /**
   * Handles the browser's back and forward buttons from now on. The visitor may have pressed them since the document was
   * loaded: then the page of the entry that they led to is shown.
   */
  function followHistory() {
    const { pathname, search } = window.location;
    // A press that React has repeated may have led on.
    if (state.visit.outcome === first && pathname + search !== loadedFrom) showCurrentEntry();
    loadedFrom = undefined;
  }

  /** Handles scroll restoration from now on. `path` is the path and query that the document was loaded from. */
  function start(path: string): () => void {
    loadedFrom = path;
    // It is another page's entry if the visitor has gone back meanwhile; that page is shown next.
    const { key, state: entryState } = currentEntry();
    const { visit } = state;
    setState({ visit: { ...visit, location: { ...visit.location, key, state: entryState } } });
    if (isCurrent(first)) visitedPages.set(key, first);
    scroll.load();

    const started = new AbortController();
    const on = <Type extends keyof WindowEventMap>(type: Type, listener: (event: WindowEventMap[Type]) => void) => {
      window.addEventListener(type, listener, { signal: started.signal, capture: true });
    };
    for (const type of ["click", "input", "popstate"] as const) {
      on(type, ({ isTrusted }) => {
        isTouched ||= isTrusted;
      });
    }
    const takeOverScroll = () => {
      setScrollRestoration("manual");
    };
    takeOverScroll();
    on("pageshow", ({ persisted }) => {
      takeOverScroll();
      // The visitor has come back from the document that was loaded instead.
      if (!persisted || state.next === undefined) return;
      loading?.abort();
      setState({ next: undefined });
    });
    on("pagehide", () => {
      scroll.remember(state.visit.location.key);
      scroll.save();
      // The browser restores the position after a reload or a return from another site.
      setScrollRestoration("auto");
    });
    on("online", () => {
      // What the visitor has asked for since comes first.
      backOnlineFor = state.next;
      if (state.next === undefined) retry();
    });
    on("popstate", ({ hasUAVisualTransition: isAnimated }) => {
      if (loadedFrom === undefined) showCurrentEntry(isAnimated);
    });
    return () => {
      started.abort();
    };
  }

  return {
    /** What the shop says of itself; the same on every page. */
    shop: first.shop,
    /** The pages that would be empty, so that nothing links to them. */
    empty: first.empty ?? [],
    /** The interface that React Router's components and hooks navigate with. */
    navigator,
    start,
    followHistory,
    getState: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prefetch: loader.prefetch,
    /** Loads the page of a path and query without showing it. */
    load: loader.load,
    retry,
    /** Gives up the change that failed. */
    dismissFailure: () => {
      setState({ failed: undefined });
    },
    /** Changes the address to one of the same page that needs no loading. */
    rewriteAddress: rewriteEntry,
  };
}

/** Lets the browser load the document of a page, instead of drawing its data. */
function loadDocument({ to, type, keepScroll }: Navigation) {
  const { pathname, search } = window.location;
  const isSamePath = to.pathname + to.search === pathname + search;
  if (type === NavigationType.Push && !keepScroll && !isSamePath) window.location.assign(createPath(to));
  else {
    // A reload keeps the entry's state and the scroll position, and loads the document even if only the anchor differs.
    writeEntry(to, type === NavigationType.Push ? "push" : "replace");
    window.location.reload();
  }
}

/** Whether there is no page, or one with which the host reports a failure. */
function isFailure(outcome: Page | Error): boolean {
  return outcome instanceof Error || outcome.status >= 500;
}

/** Whether it is a page as the host has it now, not one that the service worker had stored. */
function isCurrent(outcome: Page | Error): outcome is Page {
  return !isFailure(outcome) && storedText(outcome) === undefined;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
