import { ProductCard as Plain } from "../../../client/ui/ProductCard";
import { memoised } from "../../memoised";

export const ProductCard = memoised(
  Plain,
  ({ product, priority }) => (priority === true ? "early\n" : "") + JSON.stringify(product),
  ({ product, priority }) => (priority === true ? product.thumbnail : null),
);
