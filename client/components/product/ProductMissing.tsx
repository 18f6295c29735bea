import { PackageSearch } from "lucide-react";
import { Link, useLocation } from "../../router";
import "./ProductMissing.css";

interface ProductMissingProps {
  /** The catalogue did not answer, so the product may well exist. */
  failed: boolean;
}

export function ProductMissing({ failed }: ProductMissingProps) {
  const { pathname } = useLocation();
  return (
    <div className="ProductMissing container">
      <span className="ProductMissing-picture" aria-hidden="true">
        <PackageSearch size={44} strokeWidth={1.5} />
      </span>
      <h1 className="ProductMissing-title" tabIndex={-1}>
        Product not found
      </h1>
      <p className="ProductMissing-text">The product you are looking for does not exist.</p>
      {failed && <p className="ProductMissing-text">The catalogue could not be reached just now.</p>}
      <div className="ProductMissing-actions">
        {failed && (
          <Link className="button button--primary" to={pathname}>
            Try again
          </Link>
        )}
        <Link className={failed ? "button button--quiet" : "button button--primary"} to="/products">
          Browse all products
        </Link>
      </div>
    </div>
  );
}
