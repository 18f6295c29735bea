// On the server, importers of ProductCard.tsx get this instead; see scripts/server-bundle-options.mjs.
import { ProductCard as Plain } from "./ProductCard";
import { usePageRouter } from "../navigation/usePageRouter";
import { pictureAt } from "./picture";
import { memoised } from "../../ssr/memoised";

export const ProductCard = memoised(Plain, ({ product, priority }) => `${priority === true} ${usePageRouter().shop.saves === true} ${product.id}`, {
  partsOf: ({ product: { title, brand, thumbnail, tint, price, rating, availability, noCart, noHeart, number, facts, colours } }) => [
    title, brand, thumbnail, tint, price.current, price.original, price.percentOff, price.from, price.unit, rating?.value, rating?.text, availability?.text, availability?.tone, noCart, noHeart, number, facts, colours?.join(),
  ],
  early: ({ product, priority }) => (priority === true && product.thumbnail !== null ? pictureAt(product.thumbnail)[1] : null),
});
