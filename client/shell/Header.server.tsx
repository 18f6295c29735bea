// On the server, importers of Header.tsx get this instead; see scripts/server-bundle-options.mjs.
import { Header as Plain } from "./Header";
import { memoised } from "../../ssr/memoised";
import { useCurrentLink } from "./useCurrentLink.server";

/** The search box has the text of the search, and searches seldom repeat. */
export const Header = memoised(
  Plain,
  ({ shop: { links }, categoryTotal, empty, searchText }) => {
    const here = useCurrentLink(links);
    return searchText === "" ? `${categoryTotal} ${empty?.join()} ${here}` : null;
  },
  {
    partsOf: ({ shop, categories }) => [
      shop.name, JSON.stringify([shop.logo, shop.links]), shop.noCart, shop.own, shop.saves, shop.promises.length, ...shop.promises.flatMap(({ icon, text, detail, end }) => [icon, text, detail, end]),
      ...categories.flatMap(({ slug, name }) => [slug, name]),
    ],
  },
);
