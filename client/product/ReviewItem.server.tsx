// On the server, importers of ReviewItem.tsx get this instead; see scripts/server-bundle-options.mjs.
import { ReviewItem as Plain } from "./ReviewItem";
import { memoised } from "../../ssr/memoised";

export const ReviewItem = memoised(Plain, ({ review }) => JSON.stringify(review));
