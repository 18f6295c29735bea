import { ProductFacts as Plain } from "../../../client/product/ProductFacts";
import { memoised } from "../../memoised";

export const ProductFacts = memoised(Plain, ({ product: { shipping, returns, warranty, dimensions, weight } }) => JSON.stringify([shipping, returns, warranty, dimensions, weight]));
