import { expect, it } from "vitest";
import type { Facets } from "../contract.gen";
import { FACETS } from "../facets.gen";
import { listingHref } from "../navigation/filterUrl";
import { listing, PRICES } from "../test/fixtures";
import { activeFilterCount, activeFilters } from "./activeFilters";
import { readFilterForm } from "./readFilterForm";

const PRICED: Facets = { max: { ...PRICES, ceiling: 100 } };

function form(...entries: [string, string][]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

it("reads every choice", () => {
  const data = form(["q", "oak"], ["max", "40"], ["rating", "4"], ["category", "tops"], ["brand", "A"], ["brand", "B"], ["stock", "1"]);
  expect(readFilterForm(data, PRICED)).toEqual({
    ...readFilterForm(form(), PRICED),
    q: "oak",
    max: 40,
    rating: 4,
    category: ["tops"],
    brand: ["A", "B"],
    tag: "",
    stock: true,
  });
});

it.each(FACETS)("reads $parameter, which its address and its chip have as well", ({ parameter, kind }) => {
  const value = kind === "text" || kind === "choice" || kind === "tag" ? "oak" : "1";
  const filters = readFilterForm(form([parameter, value]), PRICED);
  expect(listingHref("/products", filters)).toBe(`/products?${parameter}=${value}`);
  expect(activeFilterCount(filters)).toBe(1);
  const chips = activeFilters(listing(), filters);
  expect(chips.map(({ href }) => href)).toEqual(["/products"]);
  expect(activeFilterCount({ ...filters, ...chips[0]?.removal })).toBe(0);
});

it("keeps the tag, which has no control", () => {
  expect(readFilterForm(form(["tag", "T-Shirt"]), PRICED)).toMatchObject({ tag: "T-Shirt" });
});

it("keeps the lowest price, which has no control", () => {
  expect(readFilterForm(form(["min", "20"]), PRICED)).toMatchObject({ min: 20 });
  expect(readFilterForm(form(["min", "-20"]), PRICED)).toMatchObject({ min: undefined });
});

it("keeps the longer groups", () => {
  expect(readFilterForm(form(["facets", "all"]), PRICED)).toMatchObject({ facets: "all" });
});

it.each(["", "100", "250", "-3", "much"])("sees no cap in %j", (max) => {
  expect(readFilterForm(form(["max", max], ["rating", ""]), PRICED)).toMatchObject({ max: undefined, rating: undefined });
});
