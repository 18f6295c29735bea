// @vitest-environment node
import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { createMemo } from "./memo";

const element = createElement("p");
const BUDGET = 100_000;
/** An entry of this length takes about a hundredth of the budget. */
const LENGTH = 700;

describe("a memo", () => {
  it("stays within its budget whatever is set", () => {
    const memo = createMemo(BUDGET);
    for (let number = 0; number < 10_000; number += 1) {
      memo.set(`key ${number}`, undefined, element, (number * 7919) % 5000);
      memo.get(`key ${number - 40}`);
      expect(memo.size()).toBeLessThanOrEqual(BUDGET);
    }
  });

  it("keeps to a budget that it is given later", () => {
    const memo = createMemo(BUDGET);
    for (let number = 0; number < 1000; number += 1) memo.set(`key ${number}`, undefined, element, LENGTH);
    expect(memo.size()).toBeGreaterThan(BUDGET / 4);
    memo.limit(BUDGET / 4);
    expect(memo.size()).toBe(0);
    for (let number = 0; number < 1000; number += 1) {
      memo.set(`key ${number}`, undefined, element, LENGTH);
      expect(memo.size()).toBeLessThanOrEqual(BUDGET / 4);
    }
    expect(memo.size()).toBeGreaterThan(BUDGET / 16);
  });

  it("counts what entries take besides their texts", () => {
    const memo = createMemo(BUDGET);
    for (let number = 0; number < 10_000; number += 1) memo.set(`${number}`, undefined, element, 0);
    // The latest first, because the memo also keeps keys that it does not find.
    const kept = Array.from({ length: 10_000 }, (_, number) => memo.get(`${9999 - number}`)).filter((found) => found === element);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThan(BUDGET / 256);
  });

  it("keeps what is used and forgets what is not", () => {
    const memo = createMemo(BUDGET);
    memo.set("unused", undefined, element, LENGTH);
    memo.set("used", undefined, element, LENGTH);
    for (let number = 0; number < 1000; number += 1) {
      memo.set(`${number}`, undefined, element, LENGTH);
      expect(memo.get("used")).toBe(element);
    }
    expect(memo.get("unused")).toBeUndefined();
  });

  it("does not give up everything for one large entry", () => {
    const memo = createMemo(BUDGET);
    memo.set("small", undefined, element, LENGTH);
    memo.set("large", undefined, element, BUDGET / 2);
    expect(memo.get("large")).toBeUndefined();
    expect(memo.get("small")).toBe(element);
  });

  it("knows which keys it was asked for", () => {
    const memo = createMemo(BUDGET);
    expect(memo.get("key")).toBeUndefined();
    expect(memo.get("key")).toBeNull();
    memo.set("key", undefined, element, LENGTH);
    expect(memo.get("key")).toBe(element);
  });

  it("has one element for each key, that of the last parts", () => {
    const memo = createMemo(BUDGET);
    memo.set("key", [1, "$1", null], element, LENGTH);
    const size = memo.size();
    expect(memo.get("key", [1, "$1", null])).toBe(element);
    for (const parts of [[1, "$2", null], [1, "$1", undefined], [1, "$1"], [1, "$1", null, 0], [], undefined]) {
      expect(memo.get("key", parts)).toBeUndefined();
      expect(memo.get("key", parts)).toBeNull();
    }
    expect(memo.get("key", [1, "$1", null])).toBeUndefined();
    memo.set("key", [1, "$2", null], element, LENGTH);
    expect(memo.get("key", [1, "$2", null])).toBe(element);
    expect(memo.size()).toBe(size);
  });

  it("counts a key once that is set again", () => {
    const memo = createMemo(BUDGET);
    memo.set("other", undefined, element, LENGTH);
    memo.set("key", undefined, element, LENGTH);
    const size = memo.size();
    for (let time = 0; time < 10; time += 1) memo.set("key", undefined, element, LENGTH);
    expect(memo.size()).toBe(size);
    memo.set("key", undefined, element, 0);
    expect(memo.size()).toBe(size - LENGTH);
  });

  it("counts the keys that it was only asked for", () => {
    const memo = createMemo(BUDGET);
    for (let number = 0; number < 10_000; number += 1) {
      memo.get(`key ${number}`);
      expect(memo.size()).toBeLessThanOrEqual(BUDGET);
    }
    expect(memo.size()).toBeGreaterThan(BUDGET / 4);
  });

  it("has nothing after it was cleared", () => {
    const memo = createMemo(BUDGET);
    memo.set("key", undefined, element, LENGTH);
    memo.clear();
    expect(memo.size()).toBe(0);
    expect(memo.get("key")).toBeUndefined();
  });
});
