import { MobileMenu as Plain } from "../../../client/shell/MobileMenu";
import { memoised } from "../../memoised";
import { useCurrentLink } from "./useCurrentLink";

export const MobileMenu = memoised(Plain, ({ links, unrated }) => JSON.stringify([links, unrated, useCurrentLink(links)]));
