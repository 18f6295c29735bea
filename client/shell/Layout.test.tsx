import { afterEach, expect, it, vi } from "vitest";
import { CATEGORIES, CONTENTS } from "../test/contents";
import { pageAt, renderAt } from "../test/testing";
import { firstVisit } from "../navigation/visit";
import { Layout } from "./Layout";

/** The data with each item of every list twice. */
function doubled<Data>(data: Data): Data {
  const twice = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.concat(value).map(twice);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, twice(part)]));
  };
  return twice(data) as Data;
}

afterEach(() => {
  localStorage.clear();
});

it.each(CONTENTS.map((content) => ({ kind: content.kind, content })))("tells equal items of every list apart: $kind", ({ content }) => {
  const viewed = { id: 7, title: "Felt Slippers", thumbnail: null, price: "$9.99" };
  localStorage.setItem("vitrine-recent", JSON.stringify([viewed, viewed]));
  // React says here that two items have the same key.
  const complain = vi.spyOn(console, "error").mockReturnValue();
  const page = pageAt("/x", doubled({ categories: CATEGORIES, content }));
  renderAt("/x", <Layout visit={firstVisit(page)} />);
  expect(complain.mock.calls).toEqual([]);
});
