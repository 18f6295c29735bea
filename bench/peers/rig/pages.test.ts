// @vitest-environment node
import { describe, expect, it } from "vitest";
import { cut, whole } from "./pages";
import { visibleText } from "./parity";

const DOCUMENT = `<!doctype html><body><svg></svg>
<div id="root"><main><div>Cup</div></main></div>
<script type="application/json" id="page-data">{"path":"/"}</script>
</body>`;

describe("a document", () => {
  it("is cut around its markup and keeps every byte", () => {
    const parts = cut(DOCUMENT);
    expect(parts).toMatchObject({ markup: "<main><div>Cup</div></main>", json: '{"path":"/"}' });
    expect(whole(parts)).toBe(DOCUMENT);
  });

  it("without markup is refused", () => {
    expect(() => cut(DOCUMENT.replace("<main><div>Cup</div></main>", ""))).toThrow("without markup");
    expect(() => cut("<!doctype html>")).toThrow("without markup");
  });

  it("shows its text, not its scripts", () => {
    expect(visibleText("<p>A <b>cup</b><!-- --> of\n tea</p><script>let a = '<p>';</script>")).toBe("A cup of tea");
  });
});
