import { afterEach, describe, expect, it, vi } from "vitest";
import { loadPage, prefetchPage } from "./data";
import { pageAt } from "./testing";

function answerWith(...answers: Response[]) {
  const asked = vi.fn<(path: string) => Promise<Response>>();
  for (const answer of answers) asked.mockResolvedValueOnce(answer);
  vi.stubGlobal("fetch", asked);
  return asked;
}

function json(body: unknown, status = 200) {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

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

describe("prefetchPage", () => {
  it("is used by the next load, once", async () => {
    const asked = answerWith(json(pageAt("/p")), json(pageAt("/p")));
    prefetchPage("/p");
    prefetchPage("/p");
    await loadPage("/p");
    expect(asked).toHaveBeenCalledTimes(1);
    await loadPage("/p");
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("does not make the load fail when it failed", async () => {
    answerWith(new Response("", { status: 500 }), json(pageAt("/q")));
    prefetchPage("/q");
    await expect(loadPage("/q")).resolves.toEqual(pageAt("/q"));
  });
});
