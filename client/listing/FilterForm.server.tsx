// On the server, importers of FilterForm.tsx get this instead; see scripts/server-bundle-options.mjs.
import { FilterForm as Plain } from "./FilterForm";
import type { Facets } from "../contract.gen";
import { FACETS } from "../facets.gen";
import type { Parts } from "../../ssr/memo";
import { memoised } from "../../ssr/memoised";

export { FILTER_FORM_ID } from "./FilterForm";

/** Pages and orders of a listing share a form, but a link to more choices has the order, and "Clear all" depends on it. */
export const FilterForm = memoised(
  Plain,
  ({ listing: { basePath, facets, source, total }, filters }) => {
    if (filters.q !== undefined) return null;
    const hasLink = FACETS.some(({ kind, parameter }) => kind === "choice" && (facets[parameter]?.hidden ?? 0) > 0);
    const sort = hasLink ? filters.sort : null;
    const complete = FACETS.map(({ kind, parameter }) => kind === "flag" && facets[parameter] === total);
    return JSON.stringify([basePath, source.type, { ...filters, sort }, filters.sort !== undefined, complete]);
  },
  { partsOf: ({ listing: { facets } }) => partsOf(facets) },
);

function partsOf(facets: Facets): Parts {
  const parts: (string | number | boolean | undefined)[] = [];
  for (const { kind, parameter } of FACETS) {
    switch (kind) {
      case "highest": {
        const { ceiling, chosen, stops = [] } = facets[parameter] ?? {};
        parts.push(ceiling, chosen?.value, chosen?.text, stops.length);
        for (const { value, text } of stops) parts.push(value, text);
        break;
      }
      case "lowest": {
        const { any, steps = [] } = facets[parameter] ?? {};
        parts.push(any, steps.length);
        for (const { stars, count } of steps) parts.push(stars, count);
        break;
      }
      case "choice": {
        const { hidden, choices = [] } = facets[parameter] ?? {};
        parts.push(hidden, choices.length);
        for (const { value, name, count } of choices) parts.push(value, name, count);
        break;
      }
      case "flag":
        parts.push(facets[parameter]);
        break;
      case "text":
      case "from":
      case "tag":
    }
  }
  return parts;
}
