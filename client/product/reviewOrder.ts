import type { Review } from "../contract.gen";

export type ReviewSort = "newest" | "highest" | "lowest";

export const REVIEW_SORTS: readonly { value: ReviewSort; name: string }[] = [
  { value: "newest", name: "Newest" },
  { value: "highest", name: "Highest rated" },
  { value: "lowest", name: "Lowest rated" },
];

/** The reviews in the chosen order; of equal ratings the newest first. */
export function sortReviews(reviews: readonly Review[], sort: ReviewSort): Review[] {
  const direction = { newest: 0, highest: -1, lowest: 1 }[sort];
  return [...reviews].sort((left, right) => direction * (left.rating - right.rating) || byDate(right, left));
}

/** The dates are RFC 3339 in one time zone, so they can be compared as texts. */
function byDate(left: Review, right: Review): number {
  return left.date < right.date ? -1 : left.date > right.date ? 1 : 0;
}
