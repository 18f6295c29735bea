import { CategoryTile as Plain } from "../../../client/ui/CategoryTile";
import { memoised } from "../../memoised";

export const CategoryTile = memoised(Plain, ({ category, priority }) => (priority === true ? null : JSON.stringify(category)));
