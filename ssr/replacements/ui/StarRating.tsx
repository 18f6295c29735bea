import { StarRating as Plain } from "../../../client/ui/StarRating";
import { memoised } from "../../memoised";

export const StarRating = memoised(Plain, ({ rating, count }) => `${rating.value} ${count} ${rating.text}`);
