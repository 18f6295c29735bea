import { expect, it } from "vitest";
import { markedParts } from "./markedParts";

/** The parts as one text, with the marked ones in brackets. */
const marked = (name: string, typed: string) =>
  markedParts(name, typed).map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join("");

it.each([
  ["Oak Lamp", "lam", "Oak [Lam]p"],
  ["Café Crème", "cafe cr", "[Café Cr]ème"],
  ["Cafe\u0301 cup", "café", "[Cafe\u0301] cup"],
  ["Crème", "É", "Cr[è]me"],
  ["Großer Schal", "gross", "[Groß]er Schal"],
  ["Groß", "s", "Gro[ß]"],
  ["İstanbul", "ist", "[İst]anbul"],
  ["腕時計 赤", "時計", "腕[時計] 赤"],
  ["한국", "하", "[한]국"],
  ["T-Shirt", "t sh", "[T-Sh]irt"],
  ["Two  words", "two words", "[Two  words]"],
  ["soft\u00ADly", "softly", "[soft\u00ADly]"],
  ["👕 Shirt", "shirt", "👕 [Shirt]"],
])("%s, typed %s", (name, typed, parts) => {
  expect(marked(name, typed)).toBe(parts);
});

it("prefers the beginning of a word", () => {
  expect(marked("Scar Car", "car")).toBe("Scar [Car]");
  expect(marked("Scar", "car")).toBe("S[car]");
});

it("marks single words when the whole text is not there", () => {
  expect(marked("Red Oak Lamp", "lamp red")).toBe("[Red] Oak [Lamp]");
  expect(marked("Red Oak Lamp", "red sofa")).toBe("[Red] Oak Lamp");
});

it.each(["", "  ", "-", "\u0301", "sofa"])("marks nothing for %j", (typed) => {
  expect(marked("Oak Lamp", typed)).toBe("Oak Lamp");
});

it("has no parts of an empty name", () => {
  expect(markedParts("", "lamp")).toEqual([]);
});
