import type { FacetRow, Filters, Listing } from "../contract.gen";
import { listingHref, only } from "../navigation/filterUrl";
import { text } from "../texts/texts";
import { FacetGroup } from "./FacetGroup";
import { FilterGroup } from "./FilterGroup";
import { FilterOption } from "./FilterOption";
import { PriceFilter } from "./PriceFilter";
import { RatingFilter } from "./RatingFilter";
import { TextFilter } from "./TextFilter";
import type { ChangeFilters } from "./useListingFilters";

interface FilterControlProps {
  facet: FacetRow;
  listing: Listing;
  filters: Filters;
  onChange: ChangeFilters;
}

/** The same array each time, because the groups are memoised. */
const NOTHING_CHOSEN: readonly string[] = [];

/** The control of a filter, by its kind. Renders nothing where there is nothing to choose. */
export function FilterControl({ facet, listing, filters, onChange }: FilterControlProps) {
  const { basePath, facets, source } = listing;
  switch (facet.kind) {
    case "text":
      return (
        <TextFilter
          name={facet.parameter}
          query={filters[facet.parameter] ?? ""}
          onChange={(typed) => {
            onChange(only(facet.parameter, typed), facet.parameter);
          }}
        />
      );
    case "highest": {
      const prices = facets[facet.parameter];
      if (prices === undefined || prices.ceiling === 0) return null;
      return (
        <PriceFilter
          name={facet.parameter}
          stops={prices.stops}
          chosen={prices.chosen}
          maxPrice={filters[facet.parameter] ?? null}
          onChange={(price) => {
            onChange(only(facet.parameter, price ?? undefined), facet.parameter);
          }}
        />
      );
    }
    case "choice": {
      const { parameter, legend, every, atFirst, isScale } = facet;
      const { choices = [], hidden = 0 } = facets[parameter] ?? {};
      // A category's listing has only that category.
      if (choices.length === 0 || source.type === parameter) return null;
      return (
        <FacetGroup
          legend={legend}
          name={parameter}
          facets={choices}
          hidden={hidden}
          longer={filters.facets === "all"}
          longerHref={hidden > 0 ? listingHref(basePath, { ...filters, facets: "all" }) : undefined}
          every={every}
          atFirst={atFirst}
          isScale={isScale}
          chosen={filters[parameter] ?? NOTHING_CHOSEN}
          onChange={onChange}
        />
      );
    }
    case "lowest": {
      const ratings = facets[facet.parameter];
      if (ratings === undefined) return null;
      return (
        <RatingFilter
          name={facet.parameter}
          facets={ratings.steps}
          anyRating={ratings.any}
          minRating={filters[facet.parameter] ?? null}
          onChange={(stars) => {
            onChange(only(facet.parameter, stars ?? undefined));
          }}
        />
      );
    }
    case "flag": {
      const { parameter, legend, label } = facet;
      const count = facets[parameter];
      if (count === undefined) return null;
      const checked = filters[parameter] === true;
      return (
        <FilterGroup legend={text(legend)}>
          <FilterOption
            type="checkbox"
            name={parameter}
            value="1"
            count={count}
            isAll={listing.filters[parameter] !== true && count === listing.total}
            checked={checked}
            onPick={() => {
              onChange(only(parameter, checked ? undefined : true));
            }}
          >
            {text(label)}
          </FilterOption>
        </FilterGroup>
      );
    }
    // Links and searches set it, and the form keeps it in a hidden field.
    case "from":
    case "tag":
      return null;
  }
}
