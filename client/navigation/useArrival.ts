import { useEffect, useRef } from "react";
import type { Page } from "../contract.gen";
import { createPath, useLocation } from "../router";
import { SHOP_NAME } from "../shop";

/** After a navigation in the browser: what loading a document would have done by itself. */
export function useArrival(page: Page | undefined): void {
  const location = useLocation();
  const seen = useRef({ page, pathname: location.pathname });

  useEffect(() => {
    const last = seen.current;
    seen.current = { page, pathname: location.pathname };
    // The first page came as a document and needs nothing.
    if (last.page === page && last.pathname === location.pathname) return;

    document.title = page?.title ?? `Error | ${SHOP_NAME}`;
    if (page !== undefined) {
      followAddress(page.path, location);
      followCanonical(page.path);
    }
    if (last.pathname !== location.pathname) {
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    }
  }, [page, location]);
}

/** The host may have redirected: the address bar shows where, and the router's own state is kept. */
function followAddress(path: string, location: { pathname: string; search: string; hash: string }) {
  if (createPath({ ...location, hash: "" }) === path) return;
  window.history.replaceState(window.history.state, "", path + location.hash);
}

function followCanonical(path: string) {
  const link = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  if (link !== null) link.href = new URL(path, link.href).href;
}
