import type { ProductDetail } from "../../contract.gen";

/** What the browser remembers of a product that was looked at. */
export interface RecentProduct {
  id: number;
  title: string;
  thumbnail: string | null;
  /** Formatted. */
  price: string;
}

const KEY = "vitrine-recent";
const REMEMBERED = 9;

/** The stored text, which stays the same object as long as nothing changes; null without storage. */
export function readRecent(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // A browser may forbid its storage; the shop works without.
    return null;
  }
}

/** Puts a product in front of the remembered ones. */
export function rememberProduct({ id, title, thumbnail, price }: ProductDetail): void {
  const others = parseRecent(readRecent()).filter((product) => product.id !== id);
  const recent = [{ id, title, thumbnail, price: price.current }, ...others].slice(0, REMEMBERED);
  try {
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // Full or forbidden storage only costs the memory.
  }
}

export function onRecentChange(listener: () => void): () => void {
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener("storage", listener);
  };
}

/** The remembered products; the text may come from an older version, or from anybody's hands. */
export function parseRecent(text: string | null): RecentProduct[] {
  if (text === null) return [];
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter(isRecentProduct) : [];
  } catch {
    return [];
  }
}

function isRecentProduct(value: unknown): value is RecentProduct {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    Number.isSafeInteger(value.id) &&
    "title" in value &&
    typeof value.title === "string" &&
    "thumbnail" in value &&
    (value.thumbnail === null || typeof value.thumbnail === "string") &&
    "price" in value &&
    typeof value.price === "string"
  );
}
