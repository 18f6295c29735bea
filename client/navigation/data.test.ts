import { afterEach, describe, expect, it, vi } from "vitest";
import { answerWith, json } from "../test/answers";
import { pageAt } from "../test/testing";
import { loadPage } from "./data";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("loadPage", () => {
  it("asks the host for the data of an address", async () => {
    const asked = answerWith(json(pageAt("/")));
    await expect(loadPage("/")).resolves.toEqual(pageAt("/"));
    expect(asked.mock.calls[0]?.[0]).toBe("/_data/");
  });

  it.each([404, 503])("takes a page with status %i for a page", async (status) => {
    answerWith(json(pageAt("/x"), status));
    await expect(loadPage("/x")).resolves.toEqual(pageAt("/x"));
  });

  it("fails with the status text when the answer is no page", async () => {
    answerWith(new Response("<html>", { status: 500, statusText: "Internal Server Error" }));
    await expect(loadPage("/x")).rejects.toMatchObject({ status: 500, message: "Internal Server Error" });
    answerWith(json({ hello: 1 }));
    await expect(loadPage("/x")).rejects.toMatchObject({ status: 502, message: "Bad Gateway" });
  });
});
