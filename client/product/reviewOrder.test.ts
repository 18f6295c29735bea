import { describe, expect, it } from "vitest";
import type { Review } from "../contract.gen";
import { sortReviews } from "./reviewOrder";

function review(reviewerName: string, rating: number, date: string): Review {
  return { reviewerName, rating, ratingText: "", date, dateText: date, comment: "" };
}

const reviews = [
  review("Ada", 3, "2025-03-01T10:00:00.000Z"),
  review("Bo", 5, "2024-12-24T10:00:00.000Z"),
  review("Cleo", 1, "2025-03-01T10:00:01.000Z"),
  review("Dag", 5, "2025-01-02T10:00:00.000Z"),
];

function names(sorted: Review[]): string {
  return sorted.map(({ reviewerName }) => reviewerName).join(" ");
}

describe("sortReviews", () => {
  it("puts the newest first", () => {
    expect(names(sortReviews(reviews, "newest"))).toBe("Cleo Ada Dag Bo");
  });

  it("sorts by rating, the newest first among equals", () => {
    expect(names(sortReviews(reviews, "highest"))).toBe("Dag Bo Ada Cleo");
    expect(names(sortReviews(reviews, "lowest"))).toBe("Cleo Ada Dag Bo");
  });
});
