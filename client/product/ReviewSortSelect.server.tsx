import { ReviewSortSelect as Plain } from "./ReviewSortSelect";
import { memoised } from "../../ssr/memoised";

export const ReviewSortSelect = memoised(Plain, ({ sort }) => sort);
