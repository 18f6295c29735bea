import { describe, expect, it } from "vitest";
import type { Filters } from "../contract.gen";
import { filterUrlCases } from "../test/filterUrlCases";
import { listingHref, NO_FILTERS } from "./filterUrl";

const everything: Filters = {
  q: " oak & ash ",
  max: 120,
  rating: 4,
  category: ["tops", "furniture"],
  brand: ["Söder/Väst", "A+B"],
  tag: "T-Shirt",
  stock: true,
  sort: "price-asc",
};

describe("listingHref", () => {
  it.each(filterUrlCases.listings)("writes $href as the host does", ({ basePath, filters, page, href }) => {
    expect(listingHref(basePath, filters, page)).toBe(href);
  });

  it("is the bare path when nothing is chosen", () => {
    expect(listingHref("/products", NO_FILTERS)).toBe("/products");
    expect(listingHref("/products", NO_FILTERS, 1)).toBe("/products");
    expect(listingHref("/products", { ...everything, ...NO_FILTERS })).toBe("/products");
  });

  it("writes every parameter in the canonical order", () => {
    expect(listingHref("/products", everything, 3)).toBe(
      "/products?q=oak%20%26%20ash&max=120&rating=4&category=furniture&category=tops" +
        "&brand=A%2BB&brand=S%C3%B6der%2FV%C3%A4st&tag=T-Shirt&stock=1&sort=price-asc&page=3",
    );
  });

  it("keeps an encoded base path as it is", () => {
    expect(listingHref("/search/50%25%20off", { ...NO_FILTERS, stock: true })).toBe("/search/50%25%20off?stock=1");
  });

  it("drops repeated choices and text of spaces", () => {
    expect(listingHref("/sale", { ...NO_FILTERS, q: "  ", brand: ["Halm", "Halm"] })).toBe("/sale?brand=Halm");
  });

  it("orders choices as the host does, by code point", () => {
    const brands = ["\u{1F456}", "\uFFFD", "Zz", "Z"];
    expect(listingHref("/products", { ...NO_FILTERS, brand: brands })).toBe(
      "/products?brand=Z&brand=Zz&brand=%EF%BF%BD&brand=%F0%9F%91%96",
    );
  });

  it("survives half of a surrogate pair", () => {
    expect(listingHref("/products", { ...NO_FILTERS, q: "a\uD83D" })).toBe("/products?q=a%EF%BF%BD");
  });

  it("asks for more choices last, before the page", () => {
    expect(listingHref("/products", { ...NO_FILTERS, sort: "price-asc", facets: "all" }, 2)).toBe(
      "/products?sort=price-asc&facets=all&page=2",
    );
  });

  it("keeps a price cap of nothing", () => {
    expect(listingHref("/products", { ...NO_FILTERS, max: 0 })).toBe("/products?max=0");
  });
});
