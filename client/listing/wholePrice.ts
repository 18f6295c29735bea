import type { PriceFormat } from "../contract.gen";

/** Writes a price that a shopper has typed or dragged to, which is a whole number. Prices of products arrive formatted. */
export function wholePrice(units: number, { before, separator, after }: PriceFormat): string {
  return before + String(units).replace(/\B(?=(\d{3})+$)/g, () => separator) + after;
}
