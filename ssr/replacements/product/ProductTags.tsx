import { ProductTags as Plain } from "../../../client/product/ProductTags";
import { memoised } from "../../memoised";

export const ProductTags = memoised(Plain, ({ tags }) => JSON.stringify(tags));
