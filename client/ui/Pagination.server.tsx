// On the server, importers of Pagination.tsx get this instead; see scripts/server-bundle-options.mjs.
import { Pagination as Plain } from "./Pagination";
import { memoised } from "../../ssr/memoised";

/** The addresses of the pages differ in their number only. */
export const Pagination = memoised(Plain, ({ page, pageCount, href }) => (pageCount <= 1 ? null : JSON.stringify([page, pageCount, href(1)])));
