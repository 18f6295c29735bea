import { ListingHead as Plain } from "../../../client/listing/ListingHead";
import { memoised } from "../../memoised";

/** The first and last product tell the pages of a listing apart, so that each keeps its own markup. */
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
