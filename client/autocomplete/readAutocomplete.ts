import type { Named, Price, ProductCard } from "../contract.gen";

/** What a suggestion shows of a product. */
export type SuggestedProduct = Pick<ProductCard, "id" | "title" | "thumbnail" | "tint"> & {
  price: Pick<Price, "current" | "original" | "from">;
};

/** What is shown of the host's `Autocomplete`. */
export interface Suggestions {
  products: SuggestedProduct[];
  categories: Named[];
  brands: Named[];
}

/**
 * The suggestions in an answer, or undefined when it has another shape: a proxy may have answered, or another build.
 * Names that lead elsewhere than into the shop are left out.
 */
export function readAutocomplete(answer: unknown): Suggestions | undefined {
  if (!isRecord(answer)) return undefined;
  const { products, categories, brands } = answer;
  if (!isListOf(products, isProduct) || !isListOf(categories, isNamed) || !isListOf(brands, isNamed)) return undefined;
  return { products, categories: categories.filter(isOfShop), brands: brands.filter(isOfShop) };
}

/** Whether an address is one path of the shop. Browsers take `//`, and `/\`, for the start of another host. */
function isOfShop({ href }: Named): boolean {
  return /^\/(?![/\\])[^\t\n\r]*$/.test(href);
}

function isProduct(value: unknown): value is SuggestedProduct {
  return (
    isRecord(value) &&
    areTexts(value.id, value.title) &&
    (value.thumbnail === null || areTexts(value.thumbnail)) &&
    typeof value.tint === "number" &&
    isPrice(value.price)
  );
}

function isPrice(value: unknown): boolean {
  return isRecord(value) && areTexts(value.current) && (value.original === null || areTexts(value.original));
}

function isNamed(value: unknown): value is Named {
  return isRecord(value) && areTexts(value.name, value.href) && typeof value.count === "number";
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(isItem);
}

function areTexts(...values: unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
