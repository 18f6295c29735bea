import { MainNav as Plain } from "../../../client/shell/MainNav";
import { memoised } from "../../memoised";
import { useCurrentLink } from "./useCurrentLink";

export const MainNav = memoised(Plain, ({ categories, categoryTotal, unrated }) =>
  JSON.stringify([categories, categoryTotal, unrated, useCurrentLink()]),
);
