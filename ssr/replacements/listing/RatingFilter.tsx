import { RatingFilter as Plain } from "../../../client/listing/RatingFilter";
import { memoised } from "../../memoised";

export const RatingFilter = memoised(Plain, ({ facets, anyRating, minRating }) =>
  JSON.stringify([facets, anyRating, minRating]),
);
