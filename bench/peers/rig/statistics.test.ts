// @vitest-environment node
import { describe, expect, it } from "vitest";
import { balanced, interval, percentile, ratio } from "./statistics";

describe("intervals", () => {
  it("are Student's", () => {
    // Ten values with mean 5.5 and standard deviation 3.0277: 2.262 · 3.0277 / √10 on either side.
    const { mean, low, high } = interval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(mean).toBe(5.5);
    expect(low).toBeCloseTo(5.5 - 2.1659, 3);
    expect(high).toBeCloseTo(5.5 + 2.1659, 3);
  });

  it("of one value are endless", () => {
    expect(interval([3])).toEqual({ mean: 3, low: -Infinity, high: Infinity });
  });

  it("of ratios do not contain what slows a whole round down", () => {
    const { mean, low, high } = ratio([2, 20, 200], [1, 10, 100]);
    expect([mean, low, high].map((value) => value.toFixed(6))).toEqual(["2.000000", "2.000000", "2.000000"]);
  });

  it("of ratios are those of the other way round", () => {
    const [there, back] = [ratio([3, 4, 6], [1, 2, 2]), ratio([1, 2, 2], [3, 4, 6])];
    expect(there.low).toBeCloseTo(1 / back.high, 9);
    expect(there.mean).toBeCloseTo(1 / back.mean, 9);
  });

  it("need the same rounds above and below", () => {
    expect(() => ratio([1, 2], [1])).toThrow("2 rounds over 1");
  });
});

describe("percentiles", () => {
  it("are values that occurred", () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([50, 99, 100].map((share) => percentile(values, share))).toEqual([100, 198, 200]);
    expect(percentile([7], 99)).toBe(7);
    expect(percentile([], 50)).toBeNaN();
  });
});

describe("the order of a round", () => {
  it.each([1, 2, 3, 4, 6])("puts each of %i arms at each place equally often", (count) => {
    const arms = Array.from({ length: count }, (_, arm) => arm);
    const rounds = Array.from({ length: 2 * count }, (_, round) => balanced(arms, round));
    for (const place of arms) {
      const there = rounds.map((order) => order[place]);
      for (const arm of arms) expect(there.filter((found) => found === arm)).toHaveLength(2);
    }
  });
});
