import { expect, it } from "vitest";
import { groupByInitial } from "./groupByInitial";

it("groups letters that do not decompose with those that they are typed as", () => {
  const groups = groupByInitial(["Ørsted", "Łódź", "Ægir"].map((name) => ({ name, count: 1, href: "/products" })));
  expect([...groups.keys()]).toEqual(["O", "L", "A"]);
});

it("groups brands by their first letter, whatever its case and accents", () => {
  const brand = (name: string) => ({ name, count: 1, href: "/products" });
  const groups = groupByInitial(["3M", "eau", "Éclat", "E\u0301dith", "Edel", "\uFF25ast", "ßu"].map(brand));
  expect([...groups].map(([initial, brands]) => [initial, brands.length])).toEqual([["#", 1], ["E", 5], ["S", 1]]);
});
