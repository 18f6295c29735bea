import type { Review } from "../contract.gen";

/** How many reviews gave each number of stars, from 5 down to 1. */
export function countByStars(reviews: readonly Review[]): { stars: number; count: number }[] {
  return [5, 4, 3, 2, 1].map((stars) => ({
    stars,
    count: reviews.filter(({ rating }) => rating === stars).length,
  }));
}
