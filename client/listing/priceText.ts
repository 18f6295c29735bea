import type { WholePrice } from "../contract.gen";

interface KnownPrices {
  stops: readonly WholePrice[];
  /** The price cap that the page was made with. */
  chosen?: WholePrice | undefined;
}

/** A whole price as the host writes it, or only its digits until the page that brings its text is here. */
export function priceText(units: number, { stops, chosen }: KnownPrices): string {
  const known = chosen?.value === units ? chosen : stops.find(({ value }) => value === units);
  return known?.text ?? String(units);
}
