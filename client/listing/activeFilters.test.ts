import { expect, it } from "vitest";
import { listing } from "../test/fixtures";
import { NO_FILTERS } from "../navigation/filterUrl";
import { activeFilterCount, activeFilters } from "./activeFilters";

it("counts each choice but not the sort order", () => {
  expect(activeFilterCount(NO_FILTERS)).toBe(0);
  expect(activeFilterCount({ ...NO_FILTERS, sort: "price-desc" })).toBe(0);
  expect(
    activeFilterCount({
      query: " oak & ash ",
      maxPrice: 120,
      minRating: 4,
      categories: ["tops", "furniture"],
      brands: ["Söder/Väst", "A+B"],
      tag: "T-Shirt",
      inStock: true,
      sort: "price-asc",
    }),
  ).toBe(9);
});

it("removes the tag alone", () => {
  const filters = { ...NO_FILTERS, tag: "T-Shirt", inStock: true };
  const tag = activeFilters(listing({ basePath: "/products" }), filters).find(({ id }) => id === "tag");
  expect(tag).toEqual({ id: "tag", label: 'Tagged "T-Shirt"', href: "/products?stock=1", removal: { tag: "" } });
});
