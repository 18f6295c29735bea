/** A filter's price cap: whole units, which need no rounding; every price of a product comes formatted. */
export function wholePrice(units: number): string {
  return `$${units}`;
}
