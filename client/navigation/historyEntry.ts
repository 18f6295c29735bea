import { createPath } from "../router";
import type { Location } from "../router";

/** What the shop keeps in each entry of the browser's history. */
interface EntryState {
  key: string;
  /** What the navigation was given, such as a filter step. */
  state: unknown;
}

let made = 0;

/** Unique in the tab's history: a reload starts a new count under a new time origin. */
export function newKey(): string {
  made += 1;
  return `${Math.round(performance.timeOrigin).toString(36)}-${made}`;
}

/** The entry that the browser is at. One that the shop did not make, such as a jump to an anchor, gets a key. */
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

function isEntryState(value: unknown): value is EntryState {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string" && "state" in value;
}
