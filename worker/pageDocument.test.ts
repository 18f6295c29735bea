import { describe, expect, it } from "vitest";
import type { Page } from "../client/contract.gen";
import { documentOf, jsonOf } from "./pageDocument";

const PAGE: Page = {
  path: "/x",
  canonical: "/x",
  status: 200,
  shop: { name: "Vitrine", language: "en", promises: [], notes: [], sale: "Sale" },
  title: "A & B <$&> | Vitrine",
  robots: "noindex",
  categories: [],
  content: { kind: "error", message: "</script><b>$1" },
};

const TEMPLATE =
  '<!doctype html><head><title>Other</title></head><body><div id="root"><p>other</p></div>' +
  '<script type="application/json" id="page-data">{"path":"/other"}</script><link rel="stylesheet" href="/own.css"></body></html>';

describe("jsonOf", () => {
  it("finds the page's data", () => {
    expect(jsonOf(TEMPLATE)).toBe('{"path":"/other"}');
  });

  it.each(["", "<p>Welcome to our hotel</p>", TEMPLATE.slice(0, TEMPLATE.indexOf("</script>"))])("finds none in another document", (document) => {
    expect(jsonOf(document)).toBeUndefined();
  });
});

describe("documentOf", () => {
  it("makes a document that the browser draws from the page's data", () => {
    const document = documentOf(TEMPLATE, PAGE);
    expect(document).toContain("<title>A &amp; B &lt;$&amp;> | Vitrine</title>");
    expect(document).toContain('<div id="root"></div>');
    expect(document).not.toContain("<b>");
    expect(document).toMatch(/<\/script><link rel="stylesheet" href="\/own.css"><\/body><\/html>$/);
    expect(document.match(/<\/script>/g)).toHaveLength(1);
  });

  it("makes documents whose data can be found again", () => {
    expect(JSON.parse(jsonOf(documentOf(TEMPLATE, PAGE)) ?? "")).toEqual(PAGE);
  });
});
