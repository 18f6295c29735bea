import { afterEach, describe, expect, it, vi } from "vitest";
import { productDetail } from "../test/fixtures";
import { parseRecent, readRecent, rememberProduct, whenSeen } from "./recentProducts";

describe("the remembered products", () => {
  it("starts with the last one and names each once", () => {
    localStorage.clear();
    rememberProduct(productDetail({ id: "1" }));
    rememberProduct(productDetail({ id: "2" }));
    rememberProduct(productDetail({ id: "1", title: "Renamed" }));
    expect(parseRecent(readRecent()).map(({ id, title }) => [id, title])).toEqual([
      ["1", "Renamed"],
      ["2", "Tall Oak Lamp"],
    ]);
  });

  it("forgets the oldest", () => {
    localStorage.clear();
    for (let id = 1; id <= 20; id += 1) rememberProduct(productDetail({ id: String(id) }));
    const recent = parseRecent(readRecent());
    expect(recent).toHaveLength(9);
    expect(recent[0]?.id).toBe("20");
  });

  it("reads what a former version stored, whose ids were numbers", () => {
    const stored = { title: "Felt Slippers", thumbnail: null, price: "$9.99" };
    expect(parseRecent(JSON.stringify([{ id: 7, ...stored }, { id: "felt-8", ...stored }]))).toEqual([
      { id: "7", ...stored },
      { id: "felt-8", ...stored },
    ]);
  });

  it.each([null, "", "{", "{}", "7", '[{"id":"1"}]', '[null,{"id":1.5,"title":"x","thumbnail":null,"price":"$1"}]'])(
    "reads nothing from %j",
    (stored) => {
      expect(parseRecent(stored)).toEqual([]);
    },
  );
});

describe("a page that the browser draws ahead", () => {
  afterEach(() => {
    Reflect.deleteProperty(document, "prerendering");
  });

  function prerender() {
    Object.defineProperty(document, "prerendering", { value: true, configurable: true });
  }

  it("is seen at once when it is a visit", () => {
    const seen = vi.fn();
    whenSeen(seen);
    expect(seen).toHaveBeenCalledTimes(1);
  });

  it("is seen once the visit begins", () => {
    prerender();
    const seen = vi.fn();
    whenSeen(seen);
    expect(seen).not.toHaveBeenCalled();
    document.dispatchEvent(new Event("prerenderingchange"));
    document.dispatchEvent(new Event("prerenderingchange"));
    expect(seen).toHaveBeenCalledTimes(1);
  });

  it("is not seen when it is left before", () => {
    prerender();
    const seen = vi.fn();
    whenSeen(seen)();
    document.dispatchEvent(new Event("prerenderingchange"));
    expect(seen).not.toHaveBeenCalled();
  });
});
