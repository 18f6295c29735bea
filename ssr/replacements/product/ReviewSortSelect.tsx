import { ReviewSortSelect as Plain } from "../../../client/product/ReviewSortSelect";
import { memoised } from "../../memoised";

export const ReviewSortSelect = memoised(Plain, ({ sort }) => sort);
