import { beforeEach, expect, it, vi } from "vitest";
import { readSaved, toggleSaved } from "./savedProducts";

beforeEach(() => {
  localStorage.clear();
});

const ids = () => readSaved().map(({ id }) => id);

it("keeps the newest first, and removes what is saved again", () => {
  for (const id of ["1", "oak-lamp", "3"]) expect(toggleSaved({ id, title: `No. ${id}` })).toBe(true);
  expect(ids()).toEqual(["3", "oak-lamp", "1"]);
  expect(readSaved()).toBe(readSaved());
  toggleSaved({ id: "oak-lamp", title: "" });
  expect(readSaved()).toEqual([{ id: "3", title: "No. 3" }, { id: "1", title: "No. 1" }]);
});

it("keeps no more than sixty", () => {
  for (let id = 1; id <= 70; id += 1) toggleSaved({ id: String(id), title: "" });
  expect(ids()).toHaveLength(60);
  expect([ids()[0], ids()[59]]).toEqual(["70", "11"]);
});

it.each(["", "no JSON", "{}", "null", '[null, 1, {"id":1,"title":"a"}, {"id":"a b","title":"a"}, {"id":"a,b","title":"a"}, {"id":"a"}]'])(
  "takes nothing of what it has not written: %s",
  (text) => {
    localStorage.setItem("vitrine-saved", text);
    expect(readSaved()).toEqual([]);
  },
);

it("says so when the browser keeps nothing", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  expect(toggleSaved({ id: "1", title: "" })).toBe(false);
  vi.unstubAllGlobals();
});
