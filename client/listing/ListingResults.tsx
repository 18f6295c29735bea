import { memo } from "react";
import type { Listing, ProductCard } from "../contract.gen";
import { ProductGrid } from "../ui/ProductGrid";
import { EmptyState } from "./EmptyState";
import { Pagination } from "./Pagination";
import "./ListingResults.css";

interface ListingResultsProps {
  listing: Listing;
  /** The listing is loading with other filters. */
  busy: boolean;
}

/** The cards that are visible without scrolling on a phone, and most of those on a desktop. */
const PRIORITY_COUNT = 4;

function announceAdded(product: ProductCard): void {
  console.log("Add to cart:", product.title);
  window.alert(`${product.title} added to cart`);
}

/** The products of the page. Memoised, because the price slider renders the page on every move. */
export const ListingResults = memo(function ListingResults({ listing, busy }: ListingResultsProps) {
  return (
    <section className="ListingResults" aria-labelledby="results-title" aria-busy={busy}>
      <h2 className="visually-hidden" id="results-title">
        Products
      </h2>
      {listing.products.length === 0 ? (
        <EmptyState listing={listing} />
      ) : (
        <ProductGrid products={listing.products} onAdd={announceAdded} priorityCount={PRIORITY_COUNT} />
      )}
      <Pagination listing={listing} />
    </section>
  );
});
