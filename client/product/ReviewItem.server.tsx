import { ReviewItem as Plain } from "./ReviewItem";
import { memoised } from "../../ssr/memoised";

export const ReviewItem = memoised(Plain, ({ review }) => JSON.stringify(review));
