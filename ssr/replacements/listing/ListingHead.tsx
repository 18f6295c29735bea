import { ListingHead as Plain } from "../../../client/listing/ListingHead";
import { memoised } from "../../memoised";

export const ListingHead = memoised(Plain, ({ listing: { source, heading, tint, figures, products } }) =>
  source.type === "search" ? null : JSON.stringify([source, heading, tint, figures, products.map(({ thumbnail }) => thumbnail)]),
);
