import type { Filters, Listing } from "../contract.gen";
import { NO_FILTERS } from "../navigation/filterUrl";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import { List } from "../ui/List";
import { withKeys } from "../ui/withKeys";
import { activeFilters } from "./activeFilters";
import { FilterLink } from "./FilterLink";
import { focusResultCount } from "./resultCountFocus";
import type { ChangeFilters } from "./useListingFilters";
import "./FilterChips.css";

interface FilterChipsProps {
  listing: Listing;
  filters: Filters;
  onChange: ChangeFilters;
}

/** The active filters. Each is a link to the listing without it. */
export function FilterChips({ listing, filters, onChange }: FilterChipsProps) {
  const chips = activeFilters(listing, filters);
  if (chips.length === 0) return null;
  return (
    <List className="FilterChips" aria-label={text(Key.activeFilters)}>
      {withKeys(chips, ({ id }) => id).map(([key, { label, href, removal }]) => (
        <li key={key} className="FilterChips-item">
          <FilterLink
            className="FilterChips-chip"
            to={href}
            onFollow={() => {
              focusResultCount();
              onChange(removal);
            }}
          >
            <span className="visually-hidden">{`${text(Key.removeFilterBefore)} `}</span>
            <bdi className="FilterChips-label">{label}</bdi>
            <Icon name="x" className="FilterChips-cross" size={16} />
          </FilterLink>
        </li>
      ))}
      <li className="FilterChips-item">
        <FilterLink
          className="FilterChips-clear"
          to={listing.basePath}
          onFollow={() => {
            focusResultCount();
            onChange(NO_FILTERS);
          }}
        >
          {text(Key.clearAll)}<span className="visually-hidden">{` ${text(Key.clearAllAfter)}`}</span>
        </FilterLink>
      </li>
    </List>
  );
}
