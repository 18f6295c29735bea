import { afterEach, expect, it, vi } from "vitest";
import { offerDictionary } from "./offerDictionary";

const links = () => [...document.head.querySelectorAll("link")].map(({ rel, href }) => [rel, new URL(href).pathname]);

function browser(knows: boolean, saveData?: boolean) {
  vi.spyOn(DOMTokenList.prototype, "supports").mockImplementation((relation) => knows && relation === "compression-dictionary");
  vi.stubGlobal("navigator", { connection: saveData === undefined ? undefined : { saveData } });
}

afterEach(() => {
  document.head.innerHTML = "";
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each([undefined, false])("offers the dictionary where it can be used", (saveData) => {
  browser(true, saveData);
  offerDictionary();
  expect(links()).toEqual([["compression-dictionary", "/dictionary"]]);
});

it.each([
  ["knows none", false, undefined],
  ["saves data", true, true],
])("offers nothing to a browser that %s", (_, knows, saveData) => {
  browser(knows, saveData);
  offerDictionary();
  expect(links()).toEqual([]);
});
