import type { Listing } from "../contract.gen";
import { Breadcrumb } from "../components/listing/Breadcrumb";
import { FilterChips } from "../components/listing/FilterChips";
import { FilterPanel } from "../components/listing/FilterPanel";
import { ListingResults } from "../components/listing/ListingResults";
import { RESULT_COUNT_ID, ResultCount } from "../components/listing/ResultCount";
import { SortSelect } from "../components/listing/SortSelect";
import { useListingFilters } from "../components/listing/useListingFilters";
import { useLocation, useNavigation } from "../router";
import "./ListingPage.css";

interface ListingPageProps {
  listing: Listing;
}

/** All products, a preset, a category or a search. */
export function ListingPage({ listing }: ListingPageProps) {
  const { filters, change } = useListingFilters(listing);
  const here = useLocation();
  const { location: next } = useNavigation();
  const busy = next !== undefined && next.pathname === here.pathname;

  return (
    <div className="ListingPage container">
      <header className="ListingPage-head">
        <Breadcrumb source={listing.source} heading={listing.heading} />
        <h1 className="ListingPage-title" tabIndex={-1} dir="auto">
          {listing.heading}
        </h1>
      </header>
      <div className="ListingPage-layout">
        <FilterPanel listing={listing} filters={filters} onChange={change} />
        <ResultCount className="ListingPage-count" id={RESULT_COUNT_ID} total={listing.total} />
        <SortSelect
          sort={filters.sort}
          onChange={(sort) => {
            change({ sort });
          }}
        />
        <div className="ListingPage-results">
          <FilterChips listing={listing} filters={filters} onChange={change} />
          <ListingResults listing={listing} busy={busy} />
        </div>
      </div>
    </div>
  );
}
