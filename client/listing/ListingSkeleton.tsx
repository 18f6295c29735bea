import "./ListingSkeleton.css";

const CARDS = ["a", "b", "c", "d", "e", "f"];

/** The outline of a listing, shown while it is loading. */
export function ListingSkeleton() {
  return (
    <div className="ListingSkeleton container" role="status">
      <span className="visually-hidden">Loading products</span>
      <span className="ListingSkeleton-heading" />
      <span className="ListingSkeleton-panel" />
      <span className="ListingSkeleton-grid">
        {CARDS.map((card) => (
          <span key={card} className="ListingSkeleton-card">
            <span className="ListingSkeleton-image" />
            <span className="ListingSkeleton-line" />
            <span className="ListingSkeleton-line ListingSkeleton-line--short" />
          </span>
        ))}
      </span>
    </div>
  );
}
