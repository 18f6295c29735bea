import { memo } from "react";
import type { Listing, ProductCard } from "../../contract.gen";
import { ProductGrid } from "../ProductGrid";
import { EmptyState } from "./EmptyState";
import { Pagination } from "./Pagination";
import "./ListingResults.css";

interface ListingResultsProps {
  listing: Listing;
  /** Another answer of the same listing is on its way. */
  busy: boolean;
}

/** Cards that are seen without scrolling on a phone, and most of those on a desk. */
const FIRST_SEEN = 4;

function announceAdded(product: ProductCard): void {
  console.log("Add to cart:", product.title);
  window.alert(`${product.title} added to cart`);
}

/** The products of the page. Remembered, because the slider beside it renders on every move. */
export const ListingResults = memo(function ListingResults({ listing, busy }: ListingResultsProps) {
  return (
    <section className="ListingResults" aria-labelledby="results-title" aria-busy={busy}>
      <h2 className="visually-hidden" id="results-title">
        Products
      </h2>
      {listing.products.length === 0 ? (
        <EmptyState listing={listing} />
      ) : (
        <ProductGrid products={listing.products} onAdd={announceAdded} priorityCount={FIRST_SEEN} />
      )}
      <Pagination listing={listing} />
    </section>
  );
});
