import { StarRating as Plain } from "./StarRating";
import { memoised } from "../../ssr/memoised";

export const StarRating = memoised(Plain, ({ rating, count }) => `${rating.value} ${count} ${rating.text}`);
