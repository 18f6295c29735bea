import { useSyncExternalStore } from "react";

/** What the browser keeps of a saved product: its key, and a name for when it is gone. */
export interface SavedProduct {
  id: string;
  title: string;
}

const STORAGE_KEY = "vitrine-saved";
/** The most products that are kept: one request asks for all of their cards (`host/pages/saved.rs`). */
const MOST = 60;
const NOTHING: readonly SavedProduct[] = [];

const listeners = new Set<() => void>();
let known: { text: string | null; products: readonly SavedProduct[] } = { text: null, products: NOTHING };

/** The saved products, the newest first; none on the server. */
export function useSaved(): readonly SavedProduct[] {
  return useSyncExternalStore(subscribe, readSaved, () => NOTHING);
}

/** The same list as long as nothing changes. */
export function readSaved(): readonly SavedProduct[] {
  const text = storedText();
  if (text !== known.text) known = { text, products: parse(text) };
  return known.products;
}

/** Saves a product before the others, or removes it. Returns whether the browser has done so. */
export function toggleSaved({ id, title }: SavedProduct): boolean {
  const saved = readSaved();
  const others = saved.filter((product) => product.id !== id);
  const next = others.length < saved.length ? others : [{ id, title }, ...others].slice(0, MOST);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // Storage is full or blocked.
    return false;
  }
  for (const listener of listeners) listener();
  return true;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Tells of changes in other tabs.
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

function storedText(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** The stored text may be invalid: another program may have written it. */
function parse(text: string | null): readonly SavedProduct[] {
  try {
    const stored: unknown = JSON.parse(text ?? "");
    return Array.isArray(stored) ? stored.filter(isSaved).slice(0, MOST) : NOTHING;
  } catch {
    return NOTHING;
  }
}

function isSaved(value: unknown): value is SavedProduct {
  const { id, title } = Object(value) as Partial<Record<string, unknown>>;
  return typeof id === "string" && typeof title === "string" && /^[\w.~-]{1,100}$/.test(id);
}
