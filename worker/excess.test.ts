import { describe, expect, it } from "vitest";
import { excess } from "./excess";

const sizes = (count: number, size: number) => Array.from({ length: count }, () => size);

describe("excess", () => {
  it.each([
    ["nothing while there is room", [], 0],
    ["nothing while there is room", sizes(50, 80_000), 0],
    ["the oldest beyond 50 pages", sizes(53, 1_000), 3],
    ["the oldest beyond 4 MB", [1_000_000, ...sizes(4, 1_000_000)], 1],
    ["everything older than a page without room", [10, 3_999_999, 2, 10], 2],
    ["even the newest page, when it alone is too large", [10, 4_000_001], 2],
  ])("removes %s", (_, given, expected) => {
    expect(excess(given)).toBe(expected);
  });
});
