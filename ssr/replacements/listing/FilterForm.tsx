import { FilterForm as Plain } from "../../../client/listing/FilterForm";
import { memoised } from "../../memoised";

export { FILTER_FORM_ID } from "../../../client/listing/FilterForm";

/** The same for each order and page of a listing. Only the link to more choices has the order in it. */
export const FilterForm = memoised(Plain, ({ listing: { basePath, facets, source, total }, filters }) => {
  if (filters.query !== "") return null;
  const hasLink = (facets.hiddenBrands ?? 0) > 0 || (facets.hiddenCategories ?? 0) > 0;
  const sort = hasLink ? filters.sort : null;
  return JSON.stringify([basePath, source.type, { ...filters, sort }, facets, facets.inStock === total]);
});
