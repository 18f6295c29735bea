import { expect, it } from "vitest";
import { ageInWords } from "./ageInWords";

const MINUTE = 60_000;

it.each([
  [0, "less than a minute"],
  [59_999, "less than a minute"],
  [MINUTE, "1 minute"],
  [59.9 * MINUTE, "59 minutes"],
  [60 * MINUTE, "1 hour"],
  [47 * 60 * MINUTE, "1 day"],
  [7 * 24 * 60 * MINUTE, "7 days"],
])("says %d ms as %s", (age, words) => {
  expect(ageInWords(age)).toBe(words);
});
