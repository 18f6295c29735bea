import { SortSelect as Plain } from "../../../client/listing/SortSelect";
import { memoised } from "../../memoised";

export const SortSelect = memoised(Plain, ({ sort }) => String(sort));
