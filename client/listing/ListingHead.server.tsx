// On the server, importers of ListingHead.tsx get this instead; see scripts/server-bundle-options.mjs.
import { ListingHead as Plain } from "./ListingHead";
import { memoised } from "../../ssr/memoised";

/** The first and last product tell the pages of a listing apart, so that each keeps its own markup. */
export const ListingHead = memoised(
  Plain,
  ({ listing: { source, heading, products }, compact }) =>
    source.type === "search" ? null : JSON.stringify([source, heading, products[0]?.id, products.at(-1)?.id, compact]),
  {
    partsOf: ({ listing: { figures, products } }) => [
      figures?.story, figures?.deepestDiscount,
      ...products.flatMap(({ thumbnail, title, tint }) => [thumbnail, title, tint]),
    ],
  },
);
