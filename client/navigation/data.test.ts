import { afterEach, describe, expect, it, vi } from "vitest";
import { answerWith, json } from "../test/answers";
import { pageAt } from "../test/testing";
import { isOfOtherBuild, loadPage } from "./data";

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.innerHTML = "";
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

  it.each([
    [503, "Service Unavailable"],
    [404, "Not Found"],
    [431, "Request Header Fields Too Large"],
    [299, "Bad Gateway"],
    // An empty message is shown as "Unknown error".
    [599, ""],
  ])("says status %i in words when the connection carries none, as HTTP/2 does", async (status, words) => {
    answerWith(new Response("busy", { status }));
    await expect(loadPage("/x")).rejects.toMatchObject({ message: words });
  });

  describe("knows the answer of another build", () => {
    /** Whether an answer of the build `named` counts as another build's, in a document of the build `own`. */
    async function isOther(response: Response, named: string | null, own = "b1") {
      document.head.innerHTML = own === "" ? "" : `<meta name="vitrine-build" content="${own}">`;
      if (named !== null) response.headers.set("vitrine-build", named);
      answerWith(response);
      return isOfOtherBuild(await loadPage("/x").catch((error: unknown) => error as Error));
    }

    it.each([200, 404])("with status %i", async (status) => {
      expect(await isOther(json(pageAt("/x"), status), "b2")).toBe(true);
      expect(await isOther(json(pageAt("/x"), status), "b1")).toBe(false);
    });

    it("whatever it calls a page", async () => {
      expect(await isOther(json({ address: "/x" }), "b2")).toBe(true);
    });

    it("not when a proxy has dropped the name, or the document has none", async () => {
      expect(await isOther(json(pageAt("/x")), null)).toBe(false);
      expect(await isOther(json(pageAt("/x")), "b2", "")).toBe(false);
    });

    it("and takes its failure for one, not for a page", async () => {
      const failure = json(pageAt("/x"), 503);
      expect(await isOther(failure, "b2")).toBe(false);
      answerWith(new Response(JSON.stringify(pageAt("/x")), { status: 503, headers: { "content-type": "application/json", "vitrine-build": "b2" } }));
      await expect(loadPage("/x")).rejects.toMatchObject({ status: 503 });
    });
  });
});
