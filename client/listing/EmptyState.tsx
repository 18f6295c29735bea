import type { ReactElement } from "react";
import type { Listing } from "../contract.gen";
import { categoriesHref, pageHref } from "../navigation/addresses";
import { listingHref } from "../navigation/filterUrl";
import { Link } from "../navigation/Link";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
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
      title={text(Key.noProducts)}
      text={text(Key.adjustFilters)}
      failure={failed && text(Key.productsCouldNotBeLoaded)}
      actions={
        <>
          {failed && (
            <Link className="button button--primary" to={listingHref(basePath, filters, page)} onClick={focusResultCount}>
              {text(Key.tryAgain)}
            </Link>
          )}
          {activeFilterCount(filters) > 0 && (
            <Link className="button button--quiet" to={basePath} onClick={focusResultCount}>
              {text(Key.clearAllFilters)}
            </Link>
          )}
          {!failed && listing.source.type === "category" && (
            <Link className="button button--quiet" to={categoriesHref("")}>
              {text(Key.allCategoriesLink)}
            </Link>
          )}
          {!failed && listing.source.type !== "all" && (
            <Link className="button button--quiet" to={pageHref("/products")}>
              {text(Key.browseAllProducts)}
            </Link>
          )}
        </>
      }
    >
      {children}
    </EmptyNotice>
  );
}
