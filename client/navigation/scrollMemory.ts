import { createRecentMap } from "./createRecentMap";

const STORAGE_KEY = "vitrine-scroll";
const REMEMBERED = 50;

/** How far each entry of the history was scrolled; it outlives a reload, not the tab. */
export function createScrollMemory() {
  const positions = createRecentMap<number>(REMEMBERED);
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
        // A browser that refuses storage forgets the positions with the document.
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
