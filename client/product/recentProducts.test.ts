import { describe, expect, it } from "vitest";
import { productDetail } from "../test/fixtures";
import { parseRecent, readRecent, rememberProduct } from "./recentProducts";

describe("the remembered products", () => {
  it("starts with the last one and names each once", () => {
    localStorage.clear();
    rememberProduct(productDetail({ id: 1 }));
    rememberProduct(productDetail({ id: 2 }));
    rememberProduct(productDetail({ id: 1, title: "Renamed" }));
    expect(parseRecent(readRecent()).map(({ id, title }) => [id, title])).toEqual([
      [1, "Renamed"],
      [2, "Tall Oak Lamp"],
    ]);
  });

  it("forgets the oldest", () => {
    localStorage.clear();
    for (let id = 1; id <= 20; id += 1) rememberProduct(productDetail({ id }));
    const recent = parseRecent(readRecent());
    expect(recent).toHaveLength(9);
    expect(recent[0]?.id).toBe(20);
  });

  it.each([null, "", "{", "{}", "7", '[{"id":"1"}]', '[null,{"id":1.5,"title":"x","thumbnail":null,"price":"$1"}]'])(
    "reads nothing from %j",
    (stored) => {
      expect(parseRecent(stored)).toEqual([]);
    },
  );
});
