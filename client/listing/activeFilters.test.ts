import { expect, it } from "vitest";
import { NO_FILTERS } from "../navigation/filterUrl";
import { activeFilterCount } from "./activeFilters";

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
      inStock: true,
      sort: "price-asc",
    }),
  ).toBe(8);
});
