// On the server, importers of ShopStats.tsx get this instead; see scripts/server-bundle-options.mjs.
import { ShopStats as Plain } from "./ShopStats";
import { memoised } from "../../ssr/memoised";

export const ShopStats = memoised(Plain, ({ figures }) => JSON.stringify(figures));
