import { ProductCard as Plain } from "../../../client/ui/ProductCard";
import { memoised } from "../../memoised";

export const ProductCard = memoised(Plain, ({ product, priority }) => (priority === true ? null : JSON.stringify(product)));
