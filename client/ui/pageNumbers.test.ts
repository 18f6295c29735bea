import { expect, it } from "vitest";
import { pageNumbers } from "./pageNumbers";

it.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, null, 9]],
  [3, 9, [1, 2, 3, 4, null, 9]],
  [5, 9, [1, null, 4, 5, 6, null, 9]],
  [7, 9, [1, null, 6, 7, 8, 9]],
  [9, 9, [1, null, 8, 9]],
])("names pages around %i of %i", (current, last, pages) => {
  expect(pageNumbers(current, last)).toEqual(pages);
});
