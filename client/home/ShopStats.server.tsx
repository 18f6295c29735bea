import { ShopStats as Plain } from "./ShopStats";
import { memoised } from "../../ssr/memoised";

export const ShopStats = memoised(Plain, ({ figures }) => JSON.stringify(figures));
