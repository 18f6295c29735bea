// On the server, importers of StarRating.tsx get this instead; see scripts/server-bundle-options.mjs.
import { StarRating as Plain } from "./StarRating";
import { memoised } from "../../ssr/memoised";

export const StarRating = memoised(Plain, ({ rating, count }) => `${rating.value} ${count} ${rating.text}`);
