import { expect, it } from "vitest";
import { quantityFrom } from "./quantity";

it.each([
  ["7", 1, 7],
  [" 12 ", 1, 12],
  ["2.9", 1, 2],
  ["", 1, 1],
  ["abc", 4, 4],
  ["12 pieces", 1, 1],
  ["-5", 3, 3],
  ["Infinity", 2, 2],
  ["123456789", 1, 123456789],
])("reads %j with a minimum of %i as %i", (entry, minimum, quantity) => {
  expect(quantityFrom(entry, minimum)).toBe(quantity);
});
