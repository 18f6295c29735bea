// On the server, importers of CategoryTile.tsx get this instead; see scripts/server-bundle-options.mjs.
import { CategoryTile as Plain } from "./CategoryTile";
import { pictureAt } from "./picture";
import { memoised } from "../../ssr/memoised";

export const CategoryTile = memoised(Plain, ({ category, priority }) => `${priority === true} ${category.slug}`, {
  partsOf: ({ category: { name, thumbnail, count, tint } }) => [name, thumbnail, count, tint],
  early: ({ category, priority }) => (priority === true && category.thumbnail !== null ? pictureAt(category.thumbnail)[1] : null),
});
