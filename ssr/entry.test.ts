// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Page } from "../client/contract.gen";
import { shop } from "../client/test/fixtures";
import "./entry";

declare function renderPage(json: string): string;

const page: Page = {
  path: "/nowhere?q=%3Cb%3E",
  canonical: "/nowhere",
  robots: "noindex",
  status: 404,
  shop: shop(),
  title: "Not Found | Vitrine",
  categories: [{ slug: "beauty", name: "<script>alert(1)</script>" }],
  content: { kind: "error", message: "Not Found" },
};

describe("renderPage", () => {
  it("renders header, page and footer without a browser", () => {
    const html = renderPage(JSON.stringify(page));
    for (const landmark of ["<header", "<main", "<footer"]) expect(html).toContain(landmark);
    expect(html).toContain("Sorry, an unexpected error has occurred.");
  });

  it("gives identical markup for the same page", () => {
    expect(renderPage(JSON.stringify(page))).toBe(renderPage(JSON.stringify(page)));
  });

  it("escapes texts of the catalogue", () => {
    expect(renderPage(JSON.stringify(page))).not.toContain("<script");
  });

  it("adds no characters outside Latin-1 to the page", () => {
    expect(renderPage(JSON.stringify(page))).not.toMatch(/[\u0100-\uffff]/);
  });
});
