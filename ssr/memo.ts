import type { ReactElement } from "react";

/** The size of an entry besides its texts, in characters: two map slots, an element and its objects. */
const OVERHEAD = 256;
/** The size of an entry without an element besides its texts, in characters. */
const SEEN_OVERHEAD = 64;

/** The values that a key comes with, always in the same order. */
export type Parts = readonly (string | number | boolean | null | undefined)[];

/**
 * Remembers an element for each key, and forgets the least recently used ones when it is full. A key may come
 * with parts, which are compared; that costs less than a key that contains them. A key has one entry: asking with other
 * parts replaces it.
 */
export interface Memo {
  /**
   * The element of a key and its parts; null when the key was asked for with them before, but has none; undefined
   * otherwise.
   */
  get(key: string, parts?: Parts): ReactElement | null | undefined;
  /** `length` is that of the element's texts, in characters. */
  set(key: string, parts: Parts | undefined, element: ReactElement, length: number): void;
  clear(): void;
  /** Changes the budget, and forgets everything. */
  limit(budget: number): void;
  /** The size of all entries, in characters. */
  size(): number;
}

interface Entry {
  readonly parts: Parts | undefined;
  readonly element: ReactElement | null;
  readonly size: number;
}

/**
 * A memo of at most `budgetAtFirst` characters, each of one or two bytes. It has two generations and no clock: when
 * the young one has half the budget, it becomes the old one, and entries that are still in the former old one, unused
 * since, are dropped.
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

  /** A key may be set again: one page may miss it in several places. */
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
    get(key, parts) {
      const entry = young.get(key);
      if (entry !== undefined && areSame(entry.parts, parts)) return entry.element;
      const aged = entry === undefined ? old.get(key) : undefined;
      const known = aged !== undefined && areSame(aged.parts, parts) ? aged : undefined;
      add(key, known ?? { parts, element: null, size: lengthOf(key, parts) + SEEN_OVERHEAD });
      return known?.element;
    },

    set(key, parts, element, length) {
      add(key, { parts, element, size: lengthOf(key, parts) + length + OVERHEAD });
    },

    clear,

    limit(characters) {
      budget = characters;
      clear();
    },

    size: () => youngSize + oldSize,
  };
}

function areSame(one: Parts | undefined, other: Parts | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}

/** The least size of a part, in characters. */
const PART = 8;

function lengthOf(key: string, parts: Parts = []): number {
  let length = key.length;
  for (const part of parts) length += PART + (typeof part === "string" ? part.length : 0);
  return length;
}
