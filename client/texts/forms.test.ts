import { describe, expect, it } from "vitest";
import { pieces } from "./forms";

const said = (text: string, rule: string, ...values: (string | number)[]) => pieces(text, rule, values).join("");

describe("a text with forms", () => {
  // The rules of host/texts/languages.tsv.
  it.each([
    ["101", 0, "b"],
    ["101", 1, "a"],
    ["101", 2, "b"],
    ["101", 101, "b"],
    ["001", 0, "a"],
    ["001", 2, "b"],
    ["0", 1, "a"],
    ["2011122222222222222220111222222011122222", 4, "b"],
    ["2011122222222222222220111222222011122222", 12, "c"],
  ])("takes by the rule %s the form for %d that is %s", (rule, count, form) => {
    expect(said("a\nb\nc", rule, count)).toBe(form);
  });

  it("looks at the last two digits of numbers from 100", () => {
    const arabic = `012${"3".repeat(8)}${"4".repeat(89)}555${"3".repeat(8)}${"4".repeat(89)}5`;
    expect([0, 1, 2, 3, 10, 11, 99, 100, 102, 103, 111, 1003].map((count) => said("0\n1\n2\n3\n4\n5", arabic, count))).toEqual(["0", "1", "2", "3", "3", "4", "4", "5", "5", "3", "4", "3"]);
  });

  it("has one form for every count where the language has one", () => {
    expect([0, 1, 5].map((count) => said("{0} left", "101", count))).toEqual(["0 left", "1 left", "5 left"]);
  });
});

it("puts values where the text has them", () => {
  expect(said("{1} of {0}", "101", "ten", "one")).toBe("one of ten");
  expect(said("{0}", "101", "{1}", "x")).toBe("{1}");
  expect(said("none", "101")).toBe("none");
});
