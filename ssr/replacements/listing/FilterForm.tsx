import { FilterForm as Plain } from "../../../client/listing/FilterForm";
import type { Facets } from "../../../client/contract.gen";
import type { Parts } from "../../memo";
import { memoised } from "../../memoised";

export { FILTER_FORM_ID } from "../../../client/listing/FilterForm";

/** Each order and page of a listing has the same form. Only the links have an order in them: to more choices, and to none. */
export const FilterForm = memoised(
  Plain,
  ({ listing: { basePath, facets, source, total }, filters }) => {
    if (filters.query !== "") return null;
    const hasLink = (facets.hiddenBrands ?? 0) > 0 || (facets.hiddenCategories ?? 0) > 0;
    const sort = hasLink ? filters.sort : null;
    return JSON.stringify([basePath, source.type, { ...filters, sort }, filters.sort !== null, facets.inStock === total]);
  },
  { partsOf: ({ listing: { facets } }) => partsOf(facets) },
);

function partsOf(facets: Facets): Parts {
  const parts: (string | number | boolean)[] = [facets.priceCeiling, facets.anyRating, facets.inStock];
  const { before, separator, after } = facets.priceFormat;
  parts.push(before, separator, after);
  parts.push(facets.hiddenCategories ?? 0, facets.hiddenBrands ?? 0);
  parts.push(facets.priceStops.length, facets.ratings.length, facets.categories.length, facets.brands.length);
  for (const stop of facets.priceStops) parts.push(stop);
  for (const { stars, count, selected } of facets.ratings) parts.push(stars, count, selected);
  for (const { value, name, count, selected } of facets.categories) parts.push(value, name, count, selected);
  for (const { value, name, count, selected } of facets.brands) parts.push(value, name, count, selected);
  return parts;
}
