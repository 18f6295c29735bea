import { useEffect } from "react";
import type { RefObject } from "react";
import { routeOf } from "./routes";
import { savesData } from "./savesData";
import { usePageRouter } from "./usePageRouter";

/** Long enough to ignore a pointer that only passes over a link. */
const HOVER_MS = 60;

/** Loads a page when its link is hovered, focused or touched. One listener serves all links of the container. */
export function usePrefetch(container: RefObject<HTMLElement | null>): void {
  const { prefetch } = usePageRouter();

  useEffect(() => {
    const element = container.current;
    if (element === null || savesData()) return;
    const listening = new AbortController();
    const options = { signal: listening.signal, passive: true };
    let timer: ReturnType<typeof setTimeout> | undefined;

    function prefetchSoon(event: Event) {
      stop();
      const path = pagePath(event.target);
      if (path === undefined) return;
      timer = setTimeout(prefetch, event.type === "touchstart" ? 0 : HOVER_MS, path);
    }

    function stop() {
      clearTimeout(timer);
    }

    for (const type of ["pointerover", "focusin", "touchstart"]) {
      element.addEventListener(type, prefetchSoon, options);
    }
    // A click loads the page itself.
    element.addEventListener("click", stop, options);
    return () => {
      stop();
      listening.abort();
    };
  }, [container, prefetch]);
}

/** Path and query of the page that the link around an element leads to, unless it is the current page. */
function pagePath(target: EventTarget | null): string | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link === null || link.target !== "" || link.origin !== window.location.origin) return undefined;
  const { pathname, search } = link;
  if (pathname === window.location.pathname && search === window.location.search) return undefined;
  return routeOf(pathname) && pathname + search;
}
