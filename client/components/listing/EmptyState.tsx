import { SearchX } from "lucide-react";
import type { Listing } from "../../contract.gen";
import { activeFilterCount, listingHref } from "../../filterUrl";
import { Link } from "../../router";
import { focusResultCount } from "./ResultCount";
import "./EmptyState.css";

interface EmptyStateProps {
  listing: Listing;
}

/** Nothing to show: because of the filters, or because the catalogue did not answer. */
export function EmptyState({ listing }: EmptyStateProps) {
  const { basePath, failed, filters, page } = listing;
  return (
    <div className="EmptyState">
      <span className="EmptyState-picture" aria-hidden="true">
        <SearchX size={40} strokeWidth={1.5} />
      </span>
      <h2 className="EmptyState-title">No products found</h2>
      <p className="EmptyState-text">Try adjusting your filters or search terms</p>
      {failed && <p className="EmptyState-text">We could not reach the catalogue just now.</p>}
      <div className="EmptyState-actions">
        {failed && (
          <Link className="button button--primary" to={listingHref(basePath, filters, page)} onClick={focusResultCount}>
            Try again
          </Link>
        )}
        {activeFilterCount(filters) > 0 && (
          <Link className="button button--quiet" to={basePath} onClick={focusResultCount}>
            Clear all filters
          </Link>
        )}
        {!failed && listing.source.type !== "all" && (
          <Link className="button button--quiet" to="/products">
            Browse all products
          </Link>
        )}
      </div>
    </div>
  );
}
