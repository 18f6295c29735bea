import { expect, it } from "vitest";
import { productDetail } from "../test/fixtures";
import { priceLine } from "./priceLine";

it.each([
  [false, 1, "$18.50"],
  [false, 2, "2 \u00D7 $18.50"],
  [true, 3, "From 3 \u00D7 $18.50"],
])("writes a price (from: %s) of %i as %s", (from, quantity, expected) => {
  const price = { ...productDetail().price, current: "$18.50" };
  expect(priceLine(from ? { ...price, from: true } : price, quantity)).toBe(expected);
});
