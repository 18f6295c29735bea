import { CategoryTile as Plain } from "../../../client/ui/CategoryTile";
import { memoised } from "../../memoised";

export const CategoryTile = memoised(
  Plain,
  ({ category, priority }) => (priority === true ? "early\n" : "") + JSON.stringify(category),
  ({ category, priority }) => (priority === true ? category.thumbnail : null),
);
