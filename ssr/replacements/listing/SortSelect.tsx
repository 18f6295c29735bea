import { SortSelect as Plain } from "../../../client/listing/SortSelect";
import { memoised } from "../../memoised";

export const SortSelect = memoised(Plain, ({ of, sort, rated }) => `${of} ${String(sort)} ${rated}`);
