import { FacetGroup as Plain } from "../../../client/listing/FacetGroup";
import { memoised } from "../../memoised";

/** A group with hidden choices has a link to itself with the current filters, and does not repeat. */
export const FacetGroup = memoised(Plain, ({ hidden, legend, name, facets, chosen, longer }) =>
  hidden > 0 ? null : JSON.stringify([legend, name, facets, chosen, longer]),
);
