import { ProductTags as Plain } from "./ProductTags";
import { memoised } from "../../ssr/memoised";

export const ProductTags = memoised(Plain, ({ tags }) => JSON.stringify(tags));
