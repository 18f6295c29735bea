import { memo, useRef } from "react";
import type { Filters, Listing } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { hasTag, listingHref } from "../navigation/filterUrl";
import { ClearFilters, FILTERS_TITLE_ID } from "./ClearFilters";
import { FacetGroup } from "./FacetGroup";
import { FilterGroup } from "./FilterGroup";
import { FilterOption } from "./FilterOption";
import { PriceFilter } from "./PriceFilter";
import { RatingFilter } from "./RatingFilter";
import { TextFilter } from "./TextFilter";
import { useChoicesBeforeHydration } from "./useChoicesBeforeHydration";
import type { ChangeFilters } from "./useListingFilters";
import "./FilterForm.css";

/** The sort select is outside the form element and refers to it by this id. */
export const FILTER_FORM_ID = "filter-form";

interface FilterFormProps {
  listing: Listing;
  filters: Filters;
  onChange: ChangeFilters;
}

/**
 * All filters in one GET form. With JavaScript each change applies at once, without it the button submits.
 * Memoised, because the panel renders again when it opens.
 */
export const FilterForm = memo(function FilterForm({ listing, filters, onChange }: FilterFormProps) {
  const { basePath, facets, source } = listing;
  const form = useRef<HTMLFormElement>(null);
  useChoicesBeforeHydration(form, facets.priceCeiling, onChange);
  const longer = filters.allFacets === true;
  const longerHref = (hidden: number) =>
    hidden > 0 ? listingHref(basePath, { ...filters, allFacets: true }) : undefined;

  return (
    <form
      ref={form}
      className="FilterForm"
      id={FILTER_FORM_ID}
      action={basePath}
      method="get"
      // Otherwise a browser may restore other choices after a reload than the address has.
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <div className="FilterForm-head">
        <h2 className="FilterForm-title" id={FILTERS_TITLE_ID} tabIndex={-1}>
          Filters
        </h2>
        <ClearFilters basePath={basePath} filters={filters} onChange={onChange} />
      </div>
      <div className="FilterForm-groups">
        <TextFilter
          query={filters.query}
          onChange={(query) => {
            onChange({ query }, "q");
          }}
        />
        {facets.priceCeiling > 0 && (
          <PriceFilter
            stops={facets.priceStops}
            format={facets.priceFormat}
            maxPrice={filters.maxPrice}
            onChange={(maxPrice) => {
              onChange({ maxPrice }, "max");
            }}
          />
        )}
        {source.type !== "category" && facets.categories.length > 0 && (
          <FacetGroup
            legend="Categories"
            name="category"
            facets={facets.categories}
            hidden={facets.hiddenCategories ?? 0}
            longer={longer}
            longerHref={longerHref(facets.hiddenCategories ?? 0)}
            everyHref={pageHref("/categories")}
            chosen={filters.categories}
            onChange={onChange}
          />
        )}
        {facets.brands.length > 0 && (
          <FacetGroup
            legend="Brands"
            name="brand"
            facets={facets.brands}
            hidden={facets.hiddenBrands ?? 0}
            longer={longer}
            longerHref={longerHref(facets.hiddenBrands ?? 0)}
            everyHref={pageHref("/brands")}
            chosen={filters.brands}
            onChange={onChange}
          />
        )}
        <RatingFilter
          facets={facets.ratings}
          anyRating={facets.anyRating}
          minRating={filters.minRating}
          onChange={(minRating) => {
            onChange({ minRating });
          }}
        />
        <FilterGroup legend="Availability">
          <FilterOption
            type="checkbox"
            name="stock"
            value="1"
            count={facets.inStock}
            isAll={!listing.filters.inStock && facets.inStock === listing.total}
            checked={filters.inStock}
            onPick={() => {
              onChange({ inStock: !filters.inStock });
            }}
          >
            In stock only
          </FilterOption>
        </FilterGroup>
      </div>
      {hasTag(filters) && <input type="hidden" name="tag" value={filters.tag} />}
      {filters.allFacets === true && <input type="hidden" name="facets" value="all" />}
      <button className="button button--primary FilterForm-apply" type="submit">
        Apply filters
      </button>
    </form>
  );
});
