import { hasRealProducts, startShop } from "../../tests/browser/support/shops";
import type { Shop } from "../../tests/browser/support/shops";

export interface MeasuredShop {
  name: "this" | "base";
  shop: Shop;
}

/** The shop, and that of `VITRINE_BASE=/path/to/an/older/vitrine` beside it, if there is one. */
export async function startPrograms(): Promise<MeasuredShop[]> {
  const products = hasRealProducts() ? "real" : "sample";
  const programs: MeasuredShop[] = [{ name: "this", shop: await startShop(products) }];
  const { VITRINE: own, VITRINE_BASE: base } = process.env;
  if (base === undefined) return programs;
  process.env.VITRINE = base;
  try {
    programs.push({ name: "base", shop: await startShop(products) });
  } finally {
    if (own === undefined) delete process.env.VITRINE;
    else process.env.VITRINE = own;
  }
  return programs;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
