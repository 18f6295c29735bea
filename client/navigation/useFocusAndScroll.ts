import { useLayoutEffect, useRef } from "react";
import { NavigationType } from "./router";
import type { Visit } from "./visit";

/** After a navigation: focuses the heading and scrolls, as a browser does when it loads a document. */
export function useFocusAndScroll(visit: Visit): void {
  const current = useRef(visit);

  // A layout effect runs before the paint, so the new page is never seen at the old position.
  useLayoutEffect(() => {
    const previous = current.current;
    current.current = visit;
    // The browser itself has scrolled the first page, which came as a document.
    if (previous === visit) return;
    if (previous.location.pathname !== visit.location.pathname) {
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    }
    if (visit.scroll !== null) window.scrollTo({ top: visit.scroll, behavior: "instant" });
    else if (visit.type !== NavigationType.Pop) anchorOf(visit)?.scrollIntoView();
  }, [visit]);
}

function anchorOf({ location }: Visit): Element | null {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    // Anyone can write a fragment that cannot be decoded.
    return null;
  }
}
