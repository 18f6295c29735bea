import { expect, it } from "vitest";
import { countByStars } from "./countByStars";

it("counts the reviews of each number of stars", () => {
  const reviews = [3, 5, 1, 5].map((rating) => ({ reviewerName: "Ada", rating, ratingText: "", date: "", dateText: "", comment: "" }));
  expect(countByStars(reviews).map(({ count }) => count)).toEqual([2, 0, 1, 0, 1]);
});
