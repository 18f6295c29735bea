import type { Page } from "../contract.gen";
import { createPath, NavigationType, parsePath } from "../router";
import type { Location, Path, To } from "../router";

/** One address as it is shown: the page, or why there is none. */
export interface Visit {
  location: Location<unknown>;
  type: NavigationType;
  outcome: Page | Error;
  /** Where the window scrolls to; null leaves it where it is. */
  scroll: number | null;
}

/** The page that came as a document. Its own path counts, so that both sides render the same. */
export function firstVisit(page: Page): Visit {
  const location = { ...pathOf(page), hash: "", key: "first", state: null };
  return { location, type: NavigationType.Pop, outcome: page, scroll: null };
}

export function pathOf({ path }: Page): { pathname: string; search: string } {
  const { pathname = "/", search = "" } = parsePath(path);
  return { pathname, search };
}

/** An address as the browser spells it: encoded, and without dots. */
export function resolve(to: To): Path {
  const { pathname, search, hash } = new URL(typeof to === "string" ? to : createPath(to), window.location.href);
  return { pathname, search, hash };
}
