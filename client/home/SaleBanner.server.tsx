// On the server, importers of SaleBanner.tsx get this instead; see scripts/server-bundle-options.mjs.
import { SaleBanner as Plain } from "./SaleBanner";
import { memoised } from "../../ssr/memoised";

/** A picture that loads first has a hint in the head of the page, which remembered markup lacks. */
export const SaleBanner = memoised(Plain, ({ banner }) => (banner.picture === undefined ? JSON.stringify(banner) : null));
