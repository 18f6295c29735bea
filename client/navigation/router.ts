import { createContext, useCallback, useContext } from "react";
import { usePageRouter } from "./usePageRouter";
import type { Visit } from "./visit";

// Locations, and the hooks of components that navigate. Links are in `Link.tsx`; pages are loaded by
// `pageRouter.ts`.

/** The parts of an address within the shop; `search` and `hash` are empty or have their first character. */
export interface Path {
  pathname: string;
  search: string;
  hash: string;
}

/** An entry of the tab's history. */
export interface Location extends Path {
  /** Unique in the tab's history. */
  key: string;
  /** What the navigation was given, such as a filter step. */
  state: unknown;
}

/** How a location was reached: by a new history entry, in place of one, or by back, forward or a document. */
export const NavigationType = { Push: "PUSH", Replace: "REPLACE", Pop: "POP" } as const;
export type NavigationType = (typeof NavigationType)[keyof typeof NavigationType];

interface NavigationOptions {
  preventScrollReset?: boolean | undefined;
}

/** Loads and shows the page of an address. */
export interface Navigator {
  push(to: string, state?: unknown, options?: NavigationOptions): void;
  replace(to: string, state?: unknown, options?: NavigationOptions): void;
}

export function createPath({ pathname, search, hash }: Path): string {
  return pathname + search + hash;
}

/** The parts of an address that starts with a path. An empty query or anchor is none. */
export function parsePath(path: string): Path {
  const [, pathname = "", search = "", hash = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(path) ?? [];
  return { pathname, search: search === "?" ? "" : search, hash: hash === "#" ? "" : hash };
}

/** Whether a path matches the pattern of a route, such as `/product/:id`. */
export function matchesPath(pattern: string, pathname: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}/*$`, "i").test(pathname);
}

export const VisitContext = createContext<Visit | null>(null);

function useVisit(): Visit {
  const visit = useContext(VisitContext);
  if (visit === null) throw new Error("There is no NavigationProvider");
  return visit;
}

/** The location whose page is shown. */
export function useLocation(): Location {
  return useVisit().location;
}

export function useNavigationType(): NavigationType {
  return useVisit().type;
}

/** A function that navigates, the same in every render. */
export function useNavigate() {
  const { navigator } = usePageRouter();
  return useCallback(
    (to: string, { replace = false, state, ...options }: NavigationOptions & { replace?: boolean; state?: unknown } = {}) => {
      navigator[replace ? "replace" : "push"](to, state, options);
    },
    [navigator],
  );
}
