import type { WholePrice } from "../contract.gen";

interface KnownPrices {
  stops: readonly WholePrice[];
  /** The highest price that the page was made with. */
  chosen?: WholePrice | undefined;
}

/** A whole price as the host writes it. Its digits, while the page that brings its text is under way. */
export function priceText(units: number, { stops, chosen }: KnownPrices): string {
  const known = chosen?.value === units ? chosen : stops.find(({ value }) => value === units);
  return known?.text ?? String(units);
}
