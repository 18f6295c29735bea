// On the server, importers of ReviewDistribution.tsx get this instead; see scripts/server-bundle-options.mjs.
import { countByStars } from "./countByStars";
import { ReviewDistribution as Plain } from "./ReviewDistribution";
import { memoised } from "../../ssr/memoised";

// Bars are shares of all reviews, and the counts may not add up to that: a wrong catalogue may have ratings other than 1 to 5.
export const ReviewDistribution = memoised(Plain, ({ reviews }) => [reviews.length, ...countByStars(reviews).map(({ count }) => count)].join());
