import { expect, it } from "vitest";
import { readFilterForm } from "./readFilterForm";

function form(...entries: [string, string][]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

it("reads every choice", () => {
  const data = form(["q", "oak"], ["max", "40"], ["rating", "4"], ["category", "tops"], ["brand", "A"], ["brand", "B"], ["stock", "1"]);
  expect(readFilterForm(data, 100)).toEqual({
    query: "oak",
    maxPrice: 40,
    minRating: 4,
    categories: ["tops"],
    brands: ["A", "B"],
    inStock: true,
  });
});

it("keeps the tag, which has no control", () => {
  expect(readFilterForm(form(["tag", "T-Shirt"]), 100)).toMatchObject({ tag: "T-Shirt" });
});

it("keeps the longer groups", () => {
  expect(readFilterForm(form(["facets", "all"]), 100)).toMatchObject({ allFacets: true });
});

it.each(["", "100", "250", "-3", "much"])("sees no cap in %j", (max) => {
  expect(readFilterForm(form(["max", max], ["rating", ""]), 100)).toMatchObject({ maxPrice: null, minRating: null });
});
