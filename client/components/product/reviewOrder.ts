import type { Review } from "../../contract.gen";

export type ReviewSort = "newest" | "highest" | "lowest";

export const REVIEW_SORTS: readonly { value: ReviewSort; name: string }[] = [
  { value: "newest", name: "Newest" },
  { value: "highest", name: "Highest rated" },
  { value: "lowest", name: "Lowest rated" },
];

/** The reviews in the chosen order; where ratings are equal, the newest come first. */
export function sortReviews(reviews: readonly Review[], sort: ReviewSort): Review[] {
  const direction = { newest: 0, highest: -1, lowest: 1 }[sort];
  return [...reviews].sort((left, right) => direction * (left.rating - right.rating) || byDate(right, left));
}

/** How many reviews gave each number of stars, from 5 down to 1. */
export function countByStars(reviews: readonly Review[]): { stars: number; count: number }[] {
  return [5, 4, 3, 2, 1].map((stars) => ({
    stars,
    count: reviews.filter(({ rating }) => rating === stars).length,
  }));
}

/** The dates are RFC 3339 in one time zone, whose order is the order of their texts. */
function byDate(left: Review, right: Review): number {
  return left.date < right.date ? -1 : left.date > right.date ? 1 : 0;
}
