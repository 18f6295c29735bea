import type { Review } from "../contract.gen";
import { Key } from "../texts/texts.gen";

export type ReviewSort = "newest" | "highest" | "lowest";

export const REVIEW_SORTS: readonly { value: ReviewSort; name: Key.newest | Key.highestRated | Key.lowestRated }[] = [
  { value: "newest", name: Key.newest },
  { value: "highest", name: Key.highestRated },
  { value: "lowest", name: Key.lowestRated },
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
