import type { ReactElement } from "react";
import type { Listing } from "../contract.gen";
import { categoriesHref, pageHref } from "../navigation/addresses";
import { listingHref } from "../navigation/filterUrl";
import { Link } from "../navigation/Link";
import { EmptyNotice } from "../ui/EmptyNotice";
import { Icon } from "../ui/Icon";
import { activeFilterCount } from "./activeFilters";
import { focusResultCount } from "./resultCountFocus";

interface EmptyStateProps {
  listing: Listing;
  /** What a search offers instead. */
  children?: ReactElement | undefined;
}

/** Shown when no product matches the filters, or when the catalogue did not answer. */
export function EmptyState({ listing, children }: EmptyStateProps) {
  const { basePath, failed, filters, page } = listing;
  return (
    <EmptyNotice
      framed
      picture={<Icon name="search-x" size={40} />}
      title="No products found"
      text="Try adjusting your filters or search terms"
      failure={failed && "The products could not be loaded"}
      actions={
        <>
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
          {!failed && listing.source.type === "category" && (
            <Link className="button button--quiet" to={categoriesHref("")}>
              All categories
            </Link>
          )}
          {!failed && listing.source.type !== "all" && (
            <Link className="button button--quiet" to={pageHref("/products")}>
              Browse all products
            </Link>
          )}
        </>
      }
    >
      {children}
    </EmptyNotice>
  );
}
