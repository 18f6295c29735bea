import { ListingHead as Plain } from "../../../client/listing/ListingHead";
import { memoised } from "../../memoised";

/** Each page of a listing has pictures of its own. */
export const ListingHead = memoised(
  Plain,
  ({ listing: { source, heading, tint, products } }) =>
    source.type === "search" ? null : JSON.stringify([source, heading, tint, products[0]?.id, products.at(-1)?.id]),
  {
    partsOf: ({ listing: { figures, products } }) => [
      figures?.products, figures?.lowestPrice, figures?.deepestDiscount,
      ...products.map(({ thumbnail }) => thumbnail),
    ],
  },
);
