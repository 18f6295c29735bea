import type { Filters } from "../contract.gen";
import { NO_FILTERS } from "../navigation/filterUrl";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { activeFilterCount } from "./activeFilters";
import { FilterLink } from "./FilterLink";
import type { ChangeFilters } from "./useListingFilters";

interface ClearFiltersProps {
  /** The address of the listing without filters. */
  basePath: string;
  filters: Filters;
  onChange: ChangeFilters;
}

/** Resets every filter, and the order. With nothing to reset it stays in its place, disabled. */
export function ClearFilters({ basePath, filters, onChange }: ClearFiltersProps) {
  if (activeFilterCount(filters) === 0 && filters.sort === undefined) {
    return (
      <span className="ClearFilters" role="link" aria-disabled="true">
        {text(Key.clearAll)}
      </span>
    );
  }
  return (
    <FilterLink
      className="ClearFilters"
      to={basePath}
      onFollow={() => {
        // Another element is about to replace the link, which must not take the focus with it.
        document.getElementById(FILTERS_TITLE_ID)?.focus();
        onChange(NO_FILTERS);
      }}
    >
      {text(Key.clearAll)}
    </FilterLink>
  );
}

/** The id of the heading of the filters, in the same line. */
export const FILTERS_TITLE_ID = "filters-title";
