import type { Filters, Listing, QuickFilter } from "../contract.gen";
import { listingHref } from "../navigation/filterUrl";
import { List } from "../ui/List";
import { withKeys } from "../ui/withKeys";
import { FilterLink } from "./FilterLink";
import { focusResultCount } from "./resultCountFocus";
import type { ChangeFilters } from "./useListingFilters";
import "./QuickFilters.css";

interface QuickFiltersProps {
  listing: Listing;
  filters: Filters;
  onChange: ChangeFilters;
}

/** Some filters that lie near for this listing, above its products. Each is a link to the listing with it. */
export function QuickFilters({ listing: { basePath, quick = [] }, filters, onChange }: QuickFiltersProps) {
  const offered = quick.flatMap((filter) => {
    const change = changeOf(filter, filters);
    return change === null ? [] : [{ label: filter.label, change }];
  });
  if (offered.length === 0) return null;
  return (
    <List className="QuickFilters" aria-label="Quick filters">
      {withKeys(offered, ({ label }) => label).map(([key, { label, change }]) => (
        <li key={key}>
          <FilterLink
            className="QuickFilters-link"
            to={listingHref(basePath, { ...filters, ...change })}
            rel="nofollow"
            onFollow={() => {
              // The chosen filter becomes a chip, and must not take the focus with it.
              focusResultCount();
              onChange(change);
            }}
          >
            <bdi>{label}</bdi>
          </FilterLink>
        </li>
      ))}
    </List>
  );
}

/** What a quick filter changes; null when its group has got a choice since the host offered it. */
function changeOf({ maxPrice, category, brand }: QuickFilter, filters: Filters): Partial<Filters> | null {
  if (maxPrice !== undefined) return filters.maxPrice === null ? { maxPrice } : null;
  if (category !== undefined) return filters.categories.length === 0 ? { categories: [category] } : null;
  if (brand !== undefined) return filters.brands.length === 0 ? { brands: [brand] } : null;
  return filters.inStock ? null : { inStock: true };
}
