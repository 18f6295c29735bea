import { ShopStats as Plain } from "../../../client/home/ShopStats";
import { memoised } from "../../memoised";

export const ShopStats = memoised(Plain, ({ figures }) => JSON.stringify(figures));
