import { contains } from "./products";
import type { Product } from "./products";

/** The filters of a listing, counted by brute force to check what the pages show. */
export interface Choice {
  text?: string;
  max?: number;
  rating?: number;
  categories?: readonly string[];
  brands?: readonly string[];
  inStock?: boolean;
}

type Group = keyof Choice;

const MATCHES: { [group in Group]-?: (product: Product, choice: Required<Choice>[group]) => boolean } = {
  text: contains,
  max: (product, max) => product.price <= max,
  rating: (product, rating) => product.rating >= rating,
  categories: (product, slugs) => slugs.length === 0 || slugs.includes(product.category),
  brands: (product, brands) => brands.length === 0 || (product.brand !== undefined && brands.includes(product.brand)),
  inStock: (product, only) => !only || product.stock > 0,
};

/** The products that a choice leaves, in their own order. */
export function matching(products: readonly Product[], choice: Choice): Product[] {
  return products.filter(
    (product) =>
      (choice.text === undefined || MATCHES.text(product, choice.text)) &&
      (choice.max === undefined || MATCHES.max(product, choice.max)) &&
      (choice.rating === undefined || MATCHES.rating(product, choice.rating)) &&
      MATCHES.categories(product, choice.categories ?? []) &&
      MATCHES.brands(product, choice.brands ?? []) &&
      MATCHES.inStock(product, choice.inStock ?? false),
  );
}

/** How many products each brand would show: all filters count but the choice of brands. */
export function brandCounts(products: readonly Product[], { brands: _, ...others }: Choice): Map<string, number> {
  const left = matching(products, others);
  const names = [...new Set(products.flatMap(({ brand }) => (brand === undefined ? [] : [brand])))];
  return new Map(names.map((name) => [name, left.filter(({ brand }) => brand === name).length]));
}

/** How many products each category would show: all filters count but the choice of categories. */
export function categoryCounts(products: readonly Product[], { categories: _, ...others }: Choice): Map<string, number> {
  const left = matching(products, others);
  const slugs = [...new Set(products.map(({ category }) => category))];
  return new Map(slugs.map((slug) => [slug, left.filter(({ category }) => category === slug).length]));
}

/** How many products 5, 4, 3, 2 and 1 stars and up would show: all filters count but the rating. */
export function ratingCounts(products: readonly Product[], { rating: _, ...others }: Choice): number[] {
  return [5, 4, 3, 2, 1].map((stars) => matching(products, { ...others, rating: stars }).length);
}

export function highestPrice(products: readonly Product[]): number {
  return Math.ceil(Math.max(...products.map(({ price }) => price)));
}
