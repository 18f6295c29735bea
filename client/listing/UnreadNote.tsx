import type { Filters, Listing } from "../contract.gen";
import { FACETS } from "../facets.gen";
import { valuesOf } from "../navigation/filterUrl";
import { FILTER_FORM_ID } from "./FilterForm";
import { SortSelect } from "./SortSelect";
import type { ChangeFilters } from "./useListingFilters";
import "./UnreadNote.css";

interface UnreadNoteProps {
  listing: Listing;
  filters: Filters;
  onChange: ChangeFilters;
}

/** Says why a listing has no filters yet, and offers the orders of its products. */
export function UnreadNote({ listing: { basePath, source }, filters, onChange }: UnreadNoteProps) {
  return (
    <form className="UnreadNote" id={FILTER_FORM_ID} action={basePath} method="get" autoComplete="off">
      <p>Filters come when the whole catalogue has been read.</p>
      {/* The filters of the address stay in it: they apply later. */}
      {FACETS.flatMap(({ parameter }) =>
        valuesOf(filters[parameter]).map((value) => <input key={`${parameter}=${value}`} type="hidden" name={parameter} value={value} />),
      )}
      <SortSelect
        of={source.type}
        sort={filters.sort ?? null}
        rated
        onChange={(sort) => {
          onChange({ sort: sort ?? undefined });
        }}
      />
    </form>
  );
}
