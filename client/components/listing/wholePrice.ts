/** A price cap in whole units, which need no rounding; every price of a product comes formatted. */
export function wholePrice(units: number): string {
  return `$${String(units).replace(/\B(?=(\d{3})+$)/g, ",")}`;
}
