// On the server, importers of SaleBanner.tsx get this instead; see scripts/server-bundle-options.mjs.
import { SaleBanner as Plain } from "./SaleBanner";
import { memoised } from "../../ssr/memoised";

export const SaleBanner = memoised(Plain, ({ banner }) => JSON.stringify(banner));
