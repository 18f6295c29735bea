import { useLayoutEffect, useRef } from "react";
import { NavigationType } from "../router";
import { SHOP_NAME } from "../shop";
import type { Visit } from "./visit";

/** After a navigation in the browser: what loading a document would have done by itself. */
export function useArrival(visit: Visit): void {
  const shown = useRef(visit);

  // Before the paint, so that nothing is seen at the old place first.
  useLayoutEffect(() => {
    const left = shown.current;
    shown.current = visit;
    // The first page came as a document and needs nothing.
    if (left === visit) return;

    describe(visit);
    if (left.location.pathname !== visit.location.pathname) {
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    }
    if (visit.scroll !== null) window.scrollTo({ top: visit.scroll, behavior: "instant" });
    else if (visit.type !== NavigationType.Pop) anchorOf(visit)?.scrollIntoView();
  }, [visit]);
}

function describe({ outcome, location }: Visit) {
  const { title, robots, canonical } =
    outcome instanceof Error
      ? { title: `Error | ${SHOP_NAME}`, robots: "noindex", canonical: location.pathname + location.search }
      : outcome;
  document.title = title;
  document.querySelector('meta[name="robots"]')?.setAttribute("content", robots);
  const link = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  // The document's own says which public origin the shop has.
  if (link !== null) link.href = new URL(canonical, link.href).href;
}

function anchorOf({ location }: Visit): Element | null {
  return location.hash === "" ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)));
}
