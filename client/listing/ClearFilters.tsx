import { NO_FILTERS } from "../navigation/filterUrl";
import { FilterLink } from "./FilterLink";
import type { ChangeFilters } from "./useListingFilters";

interface ClearFiltersProps {
  /** The address of the listing without filters. */
  basePath: string;
  onChange: ChangeFilters;
}

/** Resets every filter. */
export function ClearFilters({ basePath, onChange }: ClearFiltersProps) {
  return (
    <FilterLink
      className="button button--quiet"
      to={basePath}
      onFollow={() => {
        onChange(NO_FILTERS);
      }}
    >
      Clear all
    </FilterLink>
  );
}
