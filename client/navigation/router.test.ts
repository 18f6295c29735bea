import { expect, it } from "vitest";
import { createPath, matchesPath, parsePath } from "./router";

it.each([
  ["/", "/", "", ""],
  ["/products?page=2#top", "/products", "?page=2", "#top"],
  ["/sale#a?b#c", "/sale", "", "#a?b#c"],
  ["/sale?a=?b", "/sale", "?a=?b", ""],
  ["/search/a%3Fb?x", "/search/a%3Fb", "?x", ""],
  ["/a\nb?c\nd", "/a\nb", "?c\nd", ""],
])("takes %j apart and puts it together again", (path, pathname, search, hash) => {
  expect(parsePath(path)).toEqual({ pathname, search, hash });
  expect(createPath({ pathname, search, hash })).toBe(path);
});

it("takes an empty query or anchor for none", () => {
  expect(parsePath("/sale?#")).toEqual({ pathname: "/sale", search: "", hash: "" });
});

it.each([
  ["/", "/", true],
  ["/", "/sale", false],
  ["/sale", "/Sale/", true],
  ["/sale", "/sale/more", false],
  ["/product/:id", "/product/7", true],
  ["/product/:id", "/product/", false],
  ["/product/:id", "/product/7/8", false],
  ["/search/:text", "/search/a%2Fb", true],
])("the pattern %s and the path %s: %s", (pattern, path, matches) => {
  expect(matchesPath(pattern, path)).toBe(matches);
});
