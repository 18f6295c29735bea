// On the server, importers of RatingFilter.tsx get this instead; see scripts/server-bundle-options.mjs.
import { RatingFilter as Plain } from "./RatingFilter";
import { memoised } from "../../ssr/memoised";

export const RatingFilter = memoised(Plain, ({ name, facets, anyRating, minRating }) =>
  JSON.stringify([name, facets, anyRating, minRating]),
);
