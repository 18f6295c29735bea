import { ReviewItem as Plain } from "../../../client/product/ReviewItem";
import { memoised } from "../../memoised";

export const ReviewItem = memoised(Plain, ({ review }) => JSON.stringify(review));
