import "./ProductSpinner.css";

/** Shown while a product is loading. */
export function ProductSpinner() {
  return (
    <div className="ProductSpinner" role="status">
      <span className="ProductSpinner-ring" aria-hidden="true" />
      <span>Loading product</span>
    </div>
  );
}
