import type { ProductDetail } from "../contract.gen";
import { priceLine } from "./priceLine";

/** What the browser stores of a viewed product. */
export interface RecentProduct {
  id: string;
  title: string;
  thumbnail: string | null;
  /** Formatted. */
  price: string;
}

const STORAGE_KEY = "vitrine-recent";
const MAX_PRODUCTS = 9;

/** The stored text, or null. A text, because `useSyncExternalStore` needs a value that is equal while nothing changes. */
export function readRecent(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    // The browser may block storage.
    return null;
  }
}

/** Stores a product before the others. */
export function rememberProduct({ id, title, thumbnail, price }: ProductDetail): void {
  const others = parseRecent(readRecent()).filter((product) => product.id !== id);
  const recent = [{ id, title, thumbnail, price: priceLine(price) }, ...others].slice(0, MAX_PRODUCTS);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(recent));
  } catch {
    // Storage is full or blocked: the product is not remembered.
  }
}

/**
 * Calls `seen` when somebody sees the page: at once, unless the browser draws the page ahead of a visit that may never
 * come. Returns a function that cancels the call.
 */
export function whenSeen(seen: () => void): () => void {
  // Not in all browsers, and unknown to TypeScript.
  if ((document as { prerendering?: boolean }).prerendering !== true) {
    seen();
    return () => undefined;
  }
  document.addEventListener("prerenderingchange", seen, { once: true });
  return () => {
    document.removeEventListener("prerenderingchange", seen);
  };
}

export function onRecentChange(listener: () => void): () => void {
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener("storage", listener);
  };
}

/** Parses the stored text, which may be invalid: an older version or another program may have written it. */
export function parseRecent(text: string | null): RecentProduct[] {
  if (text === null) return [];
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.map(withTextId).filter(isRecentProduct) : [];
  } catch {
    return [];
  }
}

/** Earlier versions stored the id as a number. */
function withTextId(value: unknown): unknown {
  return typeof value === "object" && value !== null && "id" in value && Number.isSafeInteger(value.id)
    ? { ...value, id: String(value.id) }
    : value;
}

function isRecentProduct(value: unknown): value is RecentProduct {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "title" in value &&
    typeof value.title === "string" &&
    "thumbnail" in value &&
    (value.thumbnail === null || typeof value.thumbnail === "string") &&
    "price" in value &&
    typeof value.price === "string"
  );
}
