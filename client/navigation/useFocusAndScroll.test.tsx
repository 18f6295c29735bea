import { renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { pageAt } from "../test/testing";
import { NavigationType } from "./router";
import { useFocusAndScroll } from "./useFocusAndScroll";
import { firstVisit } from "./visit";
import type { Visit } from "./visit";

/** Scrolls to the anchor of a navigation, and returns the identifiers that came into view. */
function scrolledTo(hash: string): string[] {
  const seen: string[] = [];
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    seen.push(this.id);
  });
  const first = firstVisit(pageAt("/"));
  const next: Visit = { ...first, type: NavigationType.Push, location: { ...first.location, hash } };
  const { rerender } = renderHook(useFocusAndScroll, { initialProps: first });
  rerender(next);
  return seen;
}

afterEach(() => {
  document.body.innerHTML = "";
});

it("scrolls to the anchor, however the address spells it", () => {
  document.body.innerHTML = '<p id="größe"></p>';
  expect(scrolledTo("#gr%C3%B6%C3%9Fe")).toEqual(["größe"]);
  expect(scrolledTo("#größe")).toEqual(["größe"]);
});

it.each(["", "#", "#%", "#%E0%A4%A", "#%zz", "#none"])("takes %j for an address without an anchor", (hash) => {
  expect(scrolledTo(hash)).toEqual([]);
});
