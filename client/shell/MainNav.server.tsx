import { MainNav as Plain } from "./MainNav";
import { memoised } from "../../ssr/memoised";
import { useCurrentLink } from "./useCurrentLink.server";

export const MainNav = memoised(Plain, ({ categories, categoryTotal, links, unrated }) =>
  JSON.stringify([categories, categoryTotal, links, unrated, useCurrentLink(links)]),
);
