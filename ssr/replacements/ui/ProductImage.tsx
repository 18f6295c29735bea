import { ProductImage as Plain } from "../../../client/ui/ProductImage";
import { memoised } from "../../memoised";

export const ProductImage = memoised(Plain, ({ src, alt, priority, className, tint, name }) => (priority === true ? null : JSON.stringify([src, alt, className, tint, name])));
