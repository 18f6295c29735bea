// On the server, importers of MainNav.tsx get this instead; see scripts/server-bundle-options.mjs.
import { MainNav as Plain } from "./MainNav";
import { memoised } from "../../ssr/memoised";
import { useCurrentLink } from "./useCurrentLink.server";

export const MainNav = memoised(Plain, ({ categories, categoryTotal, links, empty }) =>
  JSON.stringify([categories, categoryTotal, links, empty, useCurrentLink(links)]),
);
