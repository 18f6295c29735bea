import { afterEach, describe, expect, it, vi } from "vitest";
import { answerWith, json } from "../test/answers";
import { pageAt } from "../test/testing";
import { createPageLoader } from "./pageLoader";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a prefetched page", () => {
  it("is used by the next load, once", async () => {
    const asked = answerWith(json(pageAt("/p")), json(pageAt("/p")));
    const loader = createPageLoader();
    loader.prefetch("/p");
    loader.prefetch("/p");
    await expect(loader.load("/p")).resolves.toEqual(pageAt("/p"));
    expect(asked).toHaveBeenCalledTimes(1);
    await loader.load("/p");
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("does not make the load fail when it failed", async () => {
    answerWith(new Response("", { status: 500 }), json(pageAt("/q")));
    const loader = createPageLoader();
    loader.prefetch("/q");
    await expect(loader.load("/q")).resolves.toEqual(pageAt("/q"));
  });

  it("expires", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(0);
    const asked = answerWith(json(pageAt("/r")), json(pageAt("/r")));
    const loader = createPageLoader();
    loader.prefetch("/r");
    now.mockReturnValue(10_000);
    await loader.load("/r");
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("belongs to one router", async () => {
    const asked = answerWith(json(pageAt("/s")), json(pageAt("/s")));
    createPageLoader().prefetch("/s");
    await createPageLoader().load("/s");
    expect(asked).toHaveBeenCalledTimes(2);
  });
});
