import { memo, useMemo } from "react";
import type { Listing, ProductCard } from "../contract.gen";
import { listingHref } from "../navigation/filterUrl";
import { Link } from "../navigation/Link";
import { FurtherStyles } from "../ui/FurtherStyles";
import { phrase, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Pagination } from "../ui/Pagination";
import { ProductGrid } from "../ui/ProductGrid";
import { EmptyState } from "./EmptyState";
import { LISTING_ID, PRODUCTS_END_ID, ShortCut } from "./ShortCut";
import { focusResultCount } from "./resultCountFocus";
import { SearchSuggestions } from "./SearchSuggestions";
import "./ListingResults.css";

interface ListingResultsProps {
  listing: Listing;
  /** The listing is loading with other filters. */
  busy: boolean;
  layout: "grid" | "list";
}

/** How many pictures load first: those of all cards in view on a phone, and of most on a desktop. */
const PRIORITY_COUNT = 4;

function announceAdded(product: ProductCard): void {
  console.log("Add to cart:", product.title);
  window.alert(text(Key.addedToCart, product.title));
}

/** The products of the page. Memoised, because the price slider renders the page on every move. */
export const ListingResults = memo(function ListingResults({ listing, busy, layout }: ListingResultsProps) {
  const { basePath, corrected, filters, page, pageCount, products, source } = listing;
  // The same element while the products are the same: `busy` changes with every choice, and must not
  // render dozens of cards again.
  const grid = useMemo(
    () => <ProductGrid products={products} onAdd={announceAdded} priorityCount={PRIORITY_COUNT} layout={layout} />,
    [layout, products],
  );
  return (
    <section className="ListingResults" aria-labelledby="results-title" aria-busy={busy}>
      <h2 className="visually-hidden" id="results-title">
        {text(Key.products)}
      </h2>
      {corrected !== undefined && source.type === "search" && (
        <p className="ListingResults-corrected">
          {phrase(
            Key.corrected,
            <bdi>{source.text}</bdi>,
            <bdi>{corrected.text}</bdi>,
            <Link to={corrected.typedHref}>{text(Key.searchAsTyped)}</Link>,
          )}
        </p>
      )}
      {products.length === 0 ? (
        <>
          <FurtherStyles />
          <EmptyState listing={listing}>
            {listing.suggestions && <SearchSuggestions suggestions={listing.suggestions} onAdd={announceAdded} />}
          </EmptyState>
        </>
      ) : (
        <>
          <ShortCut to={PRODUCTS_END_ID}>{text(Key.skipProducts)}</ShortCut>
          {grid}
          <FurtherStyles />
        </>
      )}
      <div className="ListingResults-end" id={PRODUCTS_END_ID} tabIndex={-1}>
        <Pagination
          page={page}
          pageCount={pageCount}
          href={(to) => listingHref(basePath, filters, to)}
          onFollow={focusResultCount}
        />
        <ShortCut to={LISTING_ID}>{text(Key.backToFilters)}</ShortCut>
      </div>
    </section>
  );
});
