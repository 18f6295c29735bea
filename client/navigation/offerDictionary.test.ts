import { afterEach, expect, it, vi } from "vitest";
import { offerDictionary } from "./offerDictionary";

const links = () => [...document.head.querySelectorAll("link")].map(({ rel, href }) => [rel, new URL(href).pathname]);

afterEach(() => {
  document.head.innerHTML = "";
  vi.unstubAllGlobals();
});

it.each([undefined, { saveData: false }])("names the dictionary to browsers", (connection) => {
  vi.stubGlobal("navigator", { connection });
  offerDictionary();
  expect(links()).toEqual([["compression-dictionary", "/dictionary"]]);
});

it("names nothing where the visitor saves data", () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  offerDictionary();
  expect(links()).toEqual([]);
});
