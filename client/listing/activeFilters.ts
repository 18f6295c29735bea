import type { Filters, Listing, Parameter } from "../contract.gen";
import { FACETS } from "../facets.gen";
import { listingHref, only, valuesOf } from "../navigation/filterUrl";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { priceText } from "./priceText";
import { toggled } from "./toggled";

export interface ActiveFilter {
  /** The parameter that it filters by, and the value if the parameter can have several. */
  id: string;
  label: string;
  /** The address of the listing without this filter. */
  href: string;
  /** The change that removes this filter. */
  removal: Filters;
}

/** The active filters of a listing, in the order of the address. */
export function activeFilters({ basePath, facets, quick = [] }: Listing, filters: Filters): ActiveFilter[] {
  function active(id: string, label: string, removal: Filters): ActiveFilter {
    return { id, label, href: listingHref(basePath, { ...filters, ...removal }), removal };
  }
  function single(parameter: Parameter, label: string): ActiveFilter[] {
    return isActive(filters, parameter) ? [active(parameter, label, only(parameter, undefined))] : [];
  }
  return FACETS.flatMap((facet) => {
    switch (facet.kind) {
      case "text":
        return single(facet.parameter, `"${filters[facet.parameter] ?? ""}"`);
      case "from":
        return single(facet.parameter, text(Key.fromPrice, facets[facet.parameter]?.text ?? String(filters[facet.parameter])));
      case "highest": {
        const [prices, price] = [facets[facet.parameter], filters[facet.parameter]];
        if (prices === undefined || price === undefined) return [];
        // A quick filter that was just followed has the text already.
        const known = quick.find(({ adds }) => adds[facet.parameter] === price);
        return single(facet.parameter, known?.label ?? text(Key.upTo, priceText(price, prices)));
      }
      case "lowest":
        return single(facet.parameter, ratingLabel(filters[facet.parameter] ?? 0));
      case "choice": {
        const { parameter, slugs } = facet;
        const chosen = filters[parameter];
        if (chosen === undefined) return [];
        const names = new Map(slugs ? facets[parameter]?.choices.map(({ value, name = value }) => [value, name]) : []);
        return chosen.map((value) => active(`${parameter} ${value}`, names.get(value) ?? value, only(parameter, toggled(chosen, value))));
      }
      case "tag":
        return single(facet.parameter, text(Key.tagged, filters[facet.parameter] ?? ""));
      case "flag":
        return single(facet.parameter, text(facet.label));
    }
  });
}

/** How many filters are active. The sort order is not a filter. */
export function activeFilterCount(filters: Filters): number {
  return FACETS.reduce((count, { parameter }) => count + valuesOf(filters[parameter]).length, 0);
}

/** Whether a filter is set. */
export function isActive(filters: Filters, parameter: Parameter): boolean {
  return valuesOf(filters[parameter]).length > 0;
}

function ratingLabel(stars: number): string {
  return text(stars === 5 ? Key.numberOfStars : Key.starsAndUp, stars);
}
