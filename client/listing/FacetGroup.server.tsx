// On the server, importers of FacetGroup.tsx get this instead; see scripts/server-bundle-options.mjs.
import { FacetGroup as Plain } from "./FacetGroup";
import { memoised } from "../../ssr/memoised";

/** A group with hidden choices has a link with the current filters, so its markup does not repeat. */
export const FacetGroup = memoised(Plain, ({ hidden, legend, name, facets, chosen, longer }) =>
  hidden > 0 ? null : JSON.stringify([legend, name, facets, chosen, longer]),
);
