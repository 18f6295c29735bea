import { MainNav as Plain } from "../../../client/shell/MainNav";
import { memoised } from "../../memoised";
import { useCurrentLink } from "./useCurrentLink";

export const MainNav = memoised(Plain, ({ categories, categoryTotal, links, unrated }) =>
  JSON.stringify([categories, categoryTotal, links, unrated, useCurrentLink(links)]),
);
