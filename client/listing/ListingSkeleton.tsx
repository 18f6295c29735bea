import { FACETS } from "../facets.gen";
import { useNextLocation } from "../navigation/useNextLocation";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import "./ListingSkeleton.css";

const CARDS = ["a", "b", "c", "d", "e", "f"];

/**
 * The outline of a listing, shown while it is loading. It stands in the listing's own layout, grid
 * and cards, so that nothing moves when the products come.
 */
export function ListingSkeleton() {
  const parameters = new URLSearchParams(useNextLocation()?.search);
  // Filters lower the head.
  const isLow = FACETS.some(({ parameter }) => (parameters.get(parameter) ?? "") !== "");
  return (
    <div className="ListingPage container" role="status">
      <span className="visually-hidden">{text(Key.loadingProducts)}</span>
      <div className={`ListingHead ListingSkeleton-block ${isLow ? "ListingHead--low" : ""}`} aria-hidden="true" />
      <div className="ListingPage-layout ListingPage-layout--whole" aria-hidden="true">
        <div className="ListingPage-tools">
          <div className="ListingSkeleton-block FilterPanel-button ListingSkeleton-control" />
          <div className="SortSelect">
            <div className="ListingSkeleton-block ListingSkeleton-control" />
          </div>
          <div className="ListingPage-short">
            <div className="QuickFilters">
              <div className="ListingSkeleton-block ListingSkeleton-control" />
              <div className="ListingSkeleton-block ListingSkeleton-control" />
            </div>
          </div>
        </div>
        <div className="FilterPanel">
          <div className="ListingSkeleton-block ListingSkeleton-panel" />
        </div>
        <div className="ListingSkeleton-block ListingPage-count ListingSkeleton-count" />
        <div className="ListingPage-results">
          <div className="ProductGrid">
            {CARDS.map((card) => (
              <div key={card} className="ProductGrid-item">
                <div className="ProductCard">
                  <div className="ListingSkeleton-block ListingSkeleton-image" />
                  <div className="ListingSkeleton-text">
                    <div className="ListingSkeleton-block" />
                    <div className="ListingSkeleton-block ListingSkeleton-short" />
                    <div className="ListingSkeleton-block ListingSkeleton-control" />
                  </div>
                </div>
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
