import { Pagination as Plain } from "../../../client/ui/Pagination";
import { memoised } from "../../memoised";

/** The addresses of the pages differ in their number only. */
export const Pagination = memoised(Plain, ({ page, pageCount, href }) => (pageCount <= 1 ? null : JSON.stringify([page, pageCount, href(1)])));
