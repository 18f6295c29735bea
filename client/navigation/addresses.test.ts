import { expect, it } from "vitest";
import { brandsHref, categoriesHref, categoryHref, productHref } from "./addresses";

it("writes the addresses of products and categories", () => {
  expect(productHref("7")).toBe("/product/7");
  expect(categoryHref("mens-shirts")).toBe("/category/mens-shirts");
  expect(categoryHref("a/b $&")).toBe("/category/a%2Fb%20%24%26");
});

it("writes the pages of many brands", () => {
  expect(brandsHref(1)).toBe("/brands");
  expect(brandsHref(2)).toBe("/brands?page=2");
});

it("writes the text filter of the categories only when there is one", () => {
  expect(categoriesHref("  ")).toBe("/categories");
  expect(categoriesHref(" mens & co ")).toBe("/categories?q=mens%20%26%20co");
  expect(categoriesHref("a\uD83D")).toBe("/categories?q=a%EF%BF%BD");
  expect(categoriesHref("", 2)).toBe("/categories?page=2");
  expect(categoriesHref("a b", 3)).toBe("/categories?q=a%20b&page=3");
});
