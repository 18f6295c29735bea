// @vitest-environment node
import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { createMemo } from "./memo";

const element = createElement("p");
const BUDGET = 100_000;
/** With it an entry has about a hundredth of the budget. */
const LENGTH = 700;

describe("a memo", () => {
  it("stays within its budget whatever is set", () => {
    const memo = createMemo(BUDGET);
    for (let number = 0; number < 10_000; number += 1) {
      memo.set(`key ${number}`, element, (number * 7919) % 5000);
      memo.get(`key ${number - 40}`);
      expect(memo.size()).toBeLessThanOrEqual(BUDGET);
    }
  });

  it("counts what entries take besides their texts", () => {
    const memo = createMemo(BUDGET);
    for (let number = 0; number < 10_000; number += 1) memo.set(`${number}`, element, 0);
    const kept = Array.from({ length: 10_000 }, (_, number) => memo.get(`${number}`)).filter((found) => found !== undefined);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThan(BUDGET / 256);
  });

  it("keeps what is used and forgets what is not", () => {
    const memo = createMemo(BUDGET);
    memo.set("unused", element, LENGTH);
    memo.set("used", element, LENGTH);
    for (let number = 0; number < 1000; number += 1) {
      memo.set(`${number}`, element, LENGTH);
      expect(memo.get("used")).toBe(element);
    }
    expect(memo.get("unused")).toBeUndefined();
  });

  it("does not give up everything for one large entry", () => {
    const memo = createMemo(BUDGET);
    memo.set("small", element, LENGTH);
    memo.set("large", element, BUDGET / 2);
    expect(memo.get("large")).toBeUndefined();
    expect(memo.get("small")).toBe(element);
  });

  it("has nothing after it was cleared", () => {
    const memo = createMemo(BUDGET);
    memo.set("key", element, LENGTH);
    memo.clear();
    expect(memo.get("key")).toBeUndefined();
    expect(memo.size()).toBe(0);
  });
});
