import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { ProductDetail } from "../../contract.gen";
import { Link } from "../../router";
import { ProductImage } from "../ProductImage";
import { onRecentChange, parseRecent, readRecent, rememberProduct } from "./recentProducts";
import "./RecentlyViewed.css";

interface RecentlyViewedProps {
  /** The product being viewed: remembered, and left out of the list. */
  current: ProductDetail;
}

/** Products looked at before, from the browser's memory; it stands last, so that nothing moves when it appears. */
export function RecentlyViewed({ current }: RecentlyViewedProps) {
  const stored = useSyncExternalStore(onRecentChange, readRecent, () => null);
  const recent = useMemo(() => parseRecent(stored).filter(({ id }) => id !== current.id), [stored, current.id]);

  useEffect(() => {
    rememberProduct(current);
  }, [current]);

  if (recent.length === 0) return null;
  return (
    <section className="RecentlyViewed" aria-labelledby="recently-viewed-title">
      <h2 className="RecentlyViewed-title" id="recently-viewed-title">
        Recently viewed
      </h2>
      {/* eslint-disable-next-line jsx-a11y/no-redundant-roles -- Some screen readers drop the role from lists without bullets. */}
      <ul className="RecentlyViewed-list" role="list">
        {recent.map((product) => (
          <li key={product.id} className="RecentlyViewed-item">
            <Link className="RecentlyViewed-link" to={`/product/${product.id}`}>
              <ProductImage src={product.thumbnail} alt="" />
              <span className="RecentlyViewed-name" dir="auto">
                {product.title}
              </span>
              <span className="RecentlyViewed-price">{product.price}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
