import type { Product } from "./products";

export const LARGE = 1_500;

/** A catalogue in which every product has a category and a brand of its own. */
export function largeProducts(): Partial<Product>[] {
  return Array.from({ length: LARGE }, (_, index) => {
    const number = String(index).padStart(4, "0");
    return {
      id: index + 1,
      title: `Product ${number}`,
      description: "One of many.",
      category: `kind-${number}`,
      brand: `Brand ${number}`,
      price: 10,
      stock: 20,
    };
  });
}
