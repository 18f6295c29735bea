import { Header as Plain } from "../../../client/shell/Header";
import { memoised } from "../../memoised";
import { useCurrentLink } from "./useCurrentLink";

/** The search box has the text of the search, and searches seldom repeat. */
export const Header = memoised(
  Plain,
  ({ categoryTotal, unrated, searchText }) => {
    const here = useCurrentLink();
    return searchText === "" ? `${categoryTotal} ${unrated} ${here}` : null;
  },
  {
    partsOf: ({ shop, categories }) => [
      shop.name, shop.noCart, shop.promises.length, ...shop.promises.flatMap(({ icon, text, detail, end }) => [icon, text, detail, end]),
      ...categories.flatMap(({ slug, name }) => [slug, name]),
    ],
  },
);
