// On the server, importers of ReviewSortSelect.tsx get this instead; see scripts/server-bundle-options.mjs.
import { ReviewSortSelect as Plain } from "./ReviewSortSelect";
import { memoised } from "../../ssr/memoised";

export const ReviewSortSelect = memoised(Plain, ({ sort }) => sort);
