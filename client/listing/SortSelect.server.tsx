import { SortSelect as Plain } from "./SortSelect";
import { memoised } from "../../ssr/memoised";

export const SortSelect = memoised(Plain, ({ of, sort, rated }) => `${of} ${String(sort)} ${rated}`);
