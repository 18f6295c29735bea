import { useEffect, useState } from "react";
import type { Listing } from "../contract.gen";
import { activeFilterCount } from "../listing/activeFilters";
import { FilterChips } from "../listing/FilterChips";
import { FilterPanel } from "../listing/FilterPanel";
import { ListingHead } from "../listing/ListingHead";
import { ListingResults } from "../listing/ListingResults";
import { QuickFilters } from "../listing/QuickFilters";
import { ResultCount } from "../listing/ResultCount";
import { RESULT_COUNT_ID } from "../listing/resultCountFocus";
import { LISTING_ID } from "../listing/ShortCut";
import { SortSelect } from "../listing/SortSelect";
import { LayoutToggle } from "../ui/LayoutToggle";
import { ReadingNotice } from "../ui/ReadingNotice";
import { useListingFilters } from "../listing/useListingFilters";
import { createBoundedMap } from "../navigation/createBoundedMap";
import { useLocation } from "../navigation/router";
import { useNextLocation } from "../navigation/useNextLocation";
import "./ListingPage.css";

interface ListingPageProps {
  listing: Listing;
}

/** Whether the head was low in each entry of the history, so that everything is at its place after going back. */
const lowHeads = createBoundedMap<boolean>(50);

/** All products, a preset, a category or a search. */
export function ListingPage({ listing }: ListingPageProps) {
  const { filters, change } = useListingFilters(listing);
  const { pathname, key } = useLocation();
  const next = useNextLocation();
  const { failed, facets, reading } = listing;
  // Where the catalogue has no products, or has not answered, there is nothing to choose from.
  const isEmpty = failed || (listing.products.length === 0 && activeFilterCount(filters) === 0);
  // A listing that opens with filters shows its products sooner. The head must not change while the page is open.
  const [isLow] = useState(() => lowHeads.get(key) ?? activeFilterCount(listing.filters) > 0);
  useEffect(() => {
    lowHeads.set(key, isLow);
  }, [key, isLow]);
  // Cards without pictures would be mostly empty.
  const hasRows = 2 * listing.products.filter(({ thumbnail }) => thumbnail === null).length > listing.products.length;
  const [layout, setLayout] = useState<"grid" | "list">("list");
  const isBusy = next !== undefined && next.pathname === pathname;

  return (
    <div className="ListingPage container">
      <ListingHead listing={listing} compact={isLow} />
      <div className={isEmpty ? "ListingPage-layout" : "ListingPage-layout ListingPage-layout--whole"} id={LISTING_ID} tabIndex={-1}>
        {!isEmpty && (
          <FilterPanel listing={listing} filters={filters} onChange={change}>
            <SortSelect
              of={listing.source.type}
              sort={filters.sort ?? null}
              rated={facets.rating !== undefined}
              onChange={(sort) => {
                change({ sort: sort ?? undefined });
              }}
            >
              {hasRows && <LayoutToggle layout={layout} onChange={setLayout} />}
            </SortSelect>
            <div className="ListingPage-short">
              <QuickFilters listing={listing} filters={filters} onChange={change} />
              <FilterChips listing={listing} filters={filters} onChange={change} />
            </div>
          </FilterPanel>
        )}
        {/* "Try again" moves the focus here, so the element exists even without a count. */}
        <ResultCount
          // If there are no products, the results say so.
          className={isEmpty ? "visually-hidden" : "ListingPage-count"}
          id={RESULT_COUNT_ID}
          total={failed ? null : listing.total}
        />
        <div className="ListingPage-results">
          {isEmpty && <FilterChips listing={listing} filters={filters} onChange={change} />}
          {reading === undefined ? <ListingResults listing={listing} busy={isBusy} layout={hasRows ? layout : "grid"} /> : <ReadingNotice reading={reading} />}
        </div>
      </div>
    </div>
  );
}
