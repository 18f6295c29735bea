import { createBoundedMap } from "./createBoundedMap";

const STORAGE_KEY = "vitrine-scroll";
const MAX_POSITIONS = 50;

/** The scroll position of each history entry. Saved positions outlive a reload, but not the tab. */
export function createScrollMemory() {
  const positions = createBoundedMap<number>(MAX_POSITIONS);

  return {
    remember(key: string) {
      positions.set(key, window.scrollY);
    },

    recall: positions.get,

    load() {
      for (const [key, position] of stored()) positions.set(key, position);
    },

    save() {
      try {
        sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions.entries()));
      } catch {
        // Without storage the positions are lost on a reload.
      }
    },
  };
}

function stored(): [string, number][] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(value) ? value.filter(isPosition) : [];
  } catch {
    return [];
  }
}

function isPosition(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "number";
}
