import { describe, expect, it } from "vitest";
import { filterUrlCases } from "../test/filterUrlCases";
import { searchHref } from "./searchUrl";

describe("searchHref", () => {
  it.each(filterUrlCases.searches)("writes $href as the host does", ({ text, href }) => {
    expect(searchHref(text)).toBe(href);
  });

  it("keeps every character in one path segment", () => {
    expect(searchHref(" 50% off ")).toBe("/search/50%25%20off");
    expect(searchHref("a/b")).toBe("/search/a%2Fb");
    expect(searchHref("#1?")).toBe("/search/%231%3F");
    expect(searchHref("\u{1F600}")).toBe("/search/%F0%9F%98%80");
  });

  it("leaves a blank text alone", () => {
    expect(searchHref(" \t ")).toBeUndefined();
  });

  it("uses the form's address where a path segment would be resolved away", () => {
    expect(searchHref("..")).toBe("/search?q=..");
  });

  it("encodes half a surrogate pair instead of failing", () => {
    expect(searchHref("\uD83D")).toBe("/search/%EF%BF%BD");
  });
});
