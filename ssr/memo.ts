import type { ReactElement } from "react";

/** What an entry takes besides its texts, in characters: two map slots, an element and its objects. */
const OVERHEAD = 256;
/** The same of a key that was seen, and has no element yet. */
const SEEN_OVERHEAD = 64;

/** Remembers elements by their keys, and forgets those that were not used for longest when it is full. */
export interface Memo {
  /** The element of a key; null when the key was asked for before, but has none; undefined the first time. */
  get(key: string): ReactElement | null | undefined;
  /** `length` is that of the element's texts, in characters. */
  set(key: string, element: ReactElement, length: number): void;
  clear(): void;
  /** Changes the budget, and forgets everything where that is more. */
  limit(budget: number): void;
  /** The size of all entries, in characters. */
  size(): number;
}

interface Entry {
  readonly element: ReactElement | null;
  readonly size: number;
}

/**
 * A memo of at most so many characters, of which each takes one or two bytes. It has two generations and
 * no clock: when the young one has half the budget, it becomes the old one, and what of the old one was not
 * used since is dropped.
 */
export function createMemo(budgetAtFirst: number): Memo {
  let budget = budgetAtFirst;
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  let youngSize = 0;
  let oldSize = 0;

  function add(key: string, entry: Entry) {
    // One entry must not push out all others.
    if (entry.size > budget / 8) return;
    remove(key);
    if (youngSize + entry.size > budget / 2) {
      old = young;
      oldSize = youngSize;
      young = new Map();
      youngSize = 0;
    }
    young.set(key, entry);
    youngSize += entry.size;
  }

  /** A key may be set again: in one page it may be missing at several places. */
  function remove(key: string) {
    youngSize -= young.get(key)?.size ?? 0;
    young.delete(key);
    oldSize -= old.get(key)?.size ?? 0;
    old.delete(key);
  }

  function clear() {
    young = new Map();
    old = new Map();
    youngSize = 0;
    oldSize = 0;
  }

  return {
    get(key) {
      const entry = young.get(key);
      if (entry !== undefined) return entry.element;
      const aged = old.get(key);
      add(key, aged ?? { element: null, size: key.length + SEEN_OVERHEAD });
      return aged?.element;
    },

    set(key, element, length) {
      add(key, { element, size: key.length + length + OVERHEAD });
    },

    clear,

    limit(characters) {
      budget = characters;
      if (youngSize + oldSize > budget) clear();
    },

    size: () => youngSize + oldSize,
  };
}
