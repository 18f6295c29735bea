import { expect, it } from "vitest";
import { withKeys } from "./withKeys";

it("gives each item a key of its own, which stays the same in another order", () => {
  const items = ["a", "a", "2 a", "a", "1 2 a", ""];
  const keys = withKeys(items, (item) => item).map(([key]) => key);
  expect(new Set(keys).size).toBe(items.length);
  expect(withKeys(items.toReversed(), (item) => item).map(([key]) => key).sort()).toEqual(keys.sort());
});
