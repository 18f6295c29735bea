import type { Page } from "../contract.gen";
import { createPath, NavigationType, parsePath } from "./router";
import type { Location, Path, To } from "./router";

/** A location and what is shown there: a page, or the error that prevented it. */
export interface Visit {
  location: Location<unknown>;
  type: NavigationType;
  outcome: Page | Error;
  /** The position to scroll to, or null to leave the window as it is. */
  scroll: number | null;
}

/** The visit of the page in the document. It uses the page's own path, so that server and browser render the same. */
export function firstVisit(page: Page): Visit {
  const location = { ...pathOf(page), hash: "", key: "first", state: null };
  return { location, type: NavigationType.Pop, outcome: page, scroll: null };
}

export function pathOf({ path }: Page): { pathname: string; search: string } {
  const { pathname = "/", search = "" } = parsePath(path);
  return { pathname, search };
}

/** A target as the browser would spell it: encoded, and with dot segments resolved. */
export function resolve(to: To): Path {
  const { pathname, search, hash } = new URL(typeof to === "string" ? to : createPath(to), window.location.href);
  return { pathname, search, hash };
}
