import { ProductCard as Plain } from "../../../client/ui/ProductCard";
import { memoised } from "../../memoised";

export const ProductCard = memoised(Plain, ({ product, priority }) => `${priority === true} ${product.id}`, {
  partsOf: ({ product: { title, brand, thumbnail, tint, price, rating, availability, noCart } }) => [
    title, brand, thumbnail, tint, price.current, price.original, price.percentOff, price.from, rating?.value, rating?.text, availability?.text, availability?.tone, noCart,
  ],
  early: ({ product, priority }) => (priority === true ? product.thumbnail : null),
});
