import { RatingFilter as Plain } from "../../../client/listing/RatingFilter";
import { memoised } from "../../memoised";

export const RatingFilter = memoised(Plain, ({ name, facets, anyRating, minRating }) =>
  JSON.stringify([name, facets, anyRating, minRating]),
);
