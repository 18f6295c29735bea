import { memo, useRef } from "react";
import type { Filters, Listing } from "../contract.gen";
import { FACETS } from "../facets.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { isActive } from "./activeFilters";
import { ClearFilters, FILTERS_TITLE_ID } from "./ClearFilters";
import { FilterControl } from "./FilterControl";
import { useChoicesBeforeHydration } from "./useChoicesBeforeHydration";
import type { ChangeFilters } from "./useListingFilters";
import "./FilterForm.css";

/** The sort select is outside the form element and refers to it by this id. */
export const FILTER_FORM_ID = "filter-form";

/** The filters in the order of the form: by their kinds. */
const FORM = (["text", "highest", "choice", "lowest", "flag"] as const).flatMap((kind) =>
  FACETS.filter((facet) => facet.kind === kind),
);

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
  const { basePath, facets } = listing;
  const form = useRef<HTMLFormElement>(null);
  useChoicesBeforeHydration(form, facets, onChange);

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
          {text(Key.filters)}
        </h2>
        <ClearFilters basePath={basePath} filters={filters} onChange={onChange} />
      </div>
      <div className="FilterForm-groups">
        {FORM.map((facet) => (
          <FilterControl key={facet.parameter} facet={facet} listing={listing} filters={filters} onChange={onChange} />
        ))}
      </div>
      {FACETS.map(
        ({ kind, parameter }) =>
          (kind === "tag" || kind === "from") &&
          isActive(filters, parameter) && <input key={parameter} type="hidden" name={parameter} value={filters[parameter]} />,
      )}
      {filters.facets === "all" && <input type="hidden" name="facets" value="all" />}
      <button className="button button--primary FilterForm-apply" type="submit">
        {text(Key.applyFilters)}
      </button>
    </form>
  );
});
