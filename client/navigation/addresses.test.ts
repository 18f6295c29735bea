import { expect, it } from "vitest";
import { categoriesHref, categoryHref, productHref } from "./addresses";

it("writes the addresses of products and categories", () => {
  expect(productHref(7)).toBe("/product/7");
  expect(categoryHref("mens-shirts")).toBe("/category/mens-shirts");
  expect(categoryHref("a/b $&")).toBe("/category/a%2Fb%20%24%26");
});

it("writes the text filter of the categories only when there is one", () => {
  expect(categoriesHref("  ")).toBe("/categories");
  expect(categoriesHref(" mens & co ")).toBe("/categories?q=mens%20%26%20co");
  expect(categoriesHref("a\uD83D")).toBe("/categories?q=a%EF%BF%BD");
});
