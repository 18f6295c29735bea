import type { Named, Price, ProductCard } from "../contract.gen";

/** The fields of a product that a suggestion shows. */
export type SuggestedProduct = Pick<ProductCard, "id" | "title" | "thumbnail" | "tint"> & {
  price: Pick<Price, "current" | "original" | "from">;
};

/** The part of the host's `Autocomplete` answer that the list shows. */
export interface Suggestions {
  products: SuggestedProduct[];
  categories: Named[];
  brands: Named[];
}

/**
 * The suggestions in an answer to `/_suggest`, or undefined when it has another shape, because a proxy or another
 * build of the host may have sent it. Categories and brands that do not link to a path of the shop are left out.
 */
export function readAutocomplete(answer: unknown): Suggestions | undefined {
  if (!isRecord(answer)) return undefined;
  const { products, categories, brands } = answer;
  if (!isListOf(products, isProduct) || !isListOf(categories, isNamed) || !isListOf(brands, isNamed)) return undefined;
  return { products, categories: categories.filter(isShopPath), brands: brands.filter(isShopPath) };
}

/** Whether a link is a path on this host. Browsers read `//` and `/\` at its start as another host's address. */
function isShopPath({ href }: Named): boolean {
  return /^\/(?![/\\])[^\t\n\r]*$/.test(href);
}

function isProduct(value: unknown): value is SuggestedProduct {
  return (
    isRecord(value) &&
    areStrings(value.id, value.title) &&
    (value.thumbnail === null || areStrings(value.thumbnail)) &&
    typeof value.tint === "number" &&
    isPrice(value.price)
  );
}

function isPrice(value: unknown): boolean {
  return isRecord(value) && areStrings(value.current) && (value.original === null || areStrings(value.original));
}

function isNamed(value: unknown): value is Named {
  return isRecord(value) && areStrings(value.name, value.href) && typeof value.count === "number";
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(isItem);
}

function areStrings(...values: unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
