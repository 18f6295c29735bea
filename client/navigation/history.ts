import { createPath } from "./router";
import type { Location } from "./router";

// Everything that touches `window.history`. Only the page router imports this module, so that the
// entries always hold what the router needs to restore them.

interface EntryState {
  key: string;
  /** The state that was passed to the navigation, such as a filter step. */
  state: unknown;
}

let keyCount = 0;

/** A key that is unique in the tab's history: after a reload the count starts again with a new time origin. */
export function newKey(): string {
  keyCount += 1;
  return `${Math.round(performance.timeOrigin).toString(36)}-${keyCount}`;
}

/** The current entry. One that the router did not write, such as a jump to an anchor, gets a key. */
export function currentEntry(): Location<unknown> {
  const { pathname, search, hash } = window.location;
  const stored: unknown = window.history.state;
  const entry = isEntryState(stored) ? stored : { key: newKey(), state: null };
  if (entry !== stored) window.history.replaceState(entry, "");
  return { pathname, search, hash, key: entry.key, state: entry.state };
}

export function writeEntry(location: Location<unknown>, how: "push" | "replace"): void {
  const entry: EntryState = { key: location.key, state: location.state };
  window.history[how === "push" ? "pushState" : "replaceState"](entry, "", createPath(location));
}

/** Changes the address of the current entry and keeps its state. */
export function rewriteEntry(href: string): void {
  window.history.replaceState(window.history.state, "", href);
}

export function moveBy(steps: number): void {
  window.history.go(steps);
}

/** Sets who restores the scroll position of an entry: the browser (`auto`) or the router (`manual`). */
export function setScrollRestoration(restoration: ScrollRestoration): void {
  window.history.scrollRestoration = restoration;
}

function isEntryState(value: unknown): value is EntryState {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string" && "state" in value;
}
