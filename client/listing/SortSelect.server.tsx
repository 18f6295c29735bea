// On the server, importers of SortSelect.tsx get this instead; see scripts/server-bundle-options.mjs.
import { SortSelect as Plain } from "./SortSelect";
import { memoised } from "../../ssr/memoised";

export const SortSelect = memoised(Plain, ({ of, sort, rated, children }) => (children ? null : `${of} ${String(sort)} ${rated}`));
