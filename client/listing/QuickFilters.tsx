import type { Filters, Listing } from "../contract.gen";
import { FACETS } from "../facets.gen";
import { listingHref } from "../navigation/filterUrl";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { List } from "../ui/List";
import { withKeys } from "../ui/withKeys";
import { isActive } from "./activeFilters";
import { FilterLink } from "./FilterLink";
import { focusResultCount } from "./resultCountFocus";
import type { ChangeFilters } from "./useListingFilters";
import "./QuickFilters.css";

interface QuickFiltersProps {
  listing: Listing;
  filters: Filters;
  onChange: ChangeFilters;
}

/** A few filters that suit this listing, above its products. Each is a link to the listing with that filter. */
export function QuickFilters({ listing: { basePath, quick = [] }, filters, onChange }: QuickFiltersProps) {
  // The visitor may have chosen in a group since the host offered a choice of it.
  const offered = quick.filter(({ adds }) =>
    FACETS.every(({ parameter }) => !(isActive(adds, parameter) && isActive(filters, parameter))),
  );
  if (offered.length === 0) return null;
  return (
    <List className="QuickFilters" aria-label={text(Key.quickFilters)}>
      {withKeys(offered, ({ label }) => label).map(([key, { label, adds }]) => (
        <li key={key}>
          <FilterLink
            className="QuickFilters-link"
            to={listingHref(basePath, { ...filters, ...adds })}
            rel="nofollow"
            onFollow={() => {
              // The chosen filter becomes a chip, and must not take the focus with it.
              focusResultCount();
              onChange(adds);
            }}
          >
            <bdi>{label}</bdi>
          </FilterLink>
        </li>
      ))}
    </List>
  );
}
