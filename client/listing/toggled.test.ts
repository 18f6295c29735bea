import { expect, it } from "vitest";
import { toggled } from "./toggled";

it("adds what is missing and removes what is there", () => {
  expect(toggled(["a"], "b")).toEqual(["a", "b"]);
  expect(toggled(["a", "b"], "a")).toEqual(["b"]);
});
