// On the server, importers of MobileMenu.tsx get this instead; see scripts/server-bundle-options.mjs.
import { MobileMenu as Plain } from "./MobileMenu";
import { memoised } from "../../ssr/memoised";
import { useCurrentLink } from "./useCurrentLink.server";

export const MobileMenu = memoised(Plain, ({ links, empty }) => JSON.stringify([links, empty, useCurrentLink(links)]));
