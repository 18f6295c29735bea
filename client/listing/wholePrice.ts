/** Formats a price filter, which is a whole number. Prices of products arrive formatted. */
export function wholePrice(units: number): string {
  return `$${String(units).replace(/\B(?=(\d{3})+$)/g, ",")}`;
}
