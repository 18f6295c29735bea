import type { Price } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";

/** The price in a line of text, such as `From 2 × $18.50`. */
export function priceLine({ current, from }: Price, quantity = 1): string {
  const times = quantity > 1 ? `${quantity} \u00D7 ` : "";
  return from === true ? text(Key.fromPrice, times + current) : times + current;
}
