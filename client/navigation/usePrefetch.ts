import { useEffect } from "react";
import type { RefObject } from "react";
import { prefetchPage } from "../data";
import { routeOf } from "../routes";

/** A pointer that only passes over a link asks for nothing. */
const INTENT_MS = 60;

/** Loads a page's data when its link is hovered, focused or touched; one listener serves all links. */
export function usePrefetch(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null || savesData()) return;
    const listening = new AbortController();
    const options = { signal: listening.signal, passive: true };
    let timer: ReturnType<typeof setTimeout> | undefined;

    function prefetchSoon(event: Event) {
      stop();
      const path = pagePath(event.target);
      if (path === undefined) return;
      timer = setTimeout(prefetchPage, event.type === "touchstart" ? 0 : INTENT_MS, path);
    }

    function stop() {
      clearTimeout(timer);
    }

    for (const type of ["pointerover", "focusin", "touchstart"]) {
      element.addEventListener(type, prefetchSoon, options);
    }
    // The click itself loads the page.
    element.addEventListener("click", stop, options);
    return () => {
      stop();
      listening.abort();
    };
  }, [frame]);
}

/** Path and query of the page that the link under an event leads to, unless it is the one shown. */
function pagePath(target: EventTarget | null): string | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link === null || link.target !== "" || link.origin !== window.location.origin) return undefined;
  const { pathname, search } = link;
  if (pathname === window.location.pathname && search === window.location.search) return undefined;
  return routeOf(pathname) && pathname + search;
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
