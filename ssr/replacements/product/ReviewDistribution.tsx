import { countByStars } from "../../../client/product/countByStars";
import { ReviewDistribution as Plain } from "../../../client/product/ReviewDistribution";
import { memoised } from "../../memoised";

// A review's rating is none of those that are counted only if the catalogue is wrong; it still has a share.
export const ReviewDistribution = memoised(Plain, ({ reviews }) => [reviews.length, ...countByStars(reviews).map(({ count }) => count)].join());
