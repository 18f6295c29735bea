import { expect, it } from "vitest";
import type { Filters } from "../contract.gen";
import { listing } from "../test/fixtures";
import { NO_FILTERS } from "../navigation/filterUrl";
import { activeFilterCount, activeFilters } from "./activeFilters";

it("counts each choice but not the sort order", () => {
  expect(activeFilterCount(NO_FILTERS)).toBe(0);
  expect(activeFilterCount({ ...NO_FILTERS, sort: "price-desc" })).toBe(0);
  expect(
    activeFilterCount({
      q: " oak & ash ",
      max: 120,
      rating: 4,
      category: ["tops", "furniture"],
      brand: ["Söder/Väst", "A+B"],
      tag: "T-Shirt",
      stock: true,
      sort: "price-asc",
    }),
  ).toBe(9);
});

it("removes the tag alone", () => {
  const filters: Filters = { ...NO_FILTERS, tag: "T-Shirt", stock: true };
  const tag = activeFilters(listing({ basePath: "/products" }), filters).find(({ id }) => id === "tag");
  expect(tag).toEqual({ id: "tag", label: 'Tagged "T-Shirt"', href: "/products?stock=1", removal: { tag: undefined } });
});
