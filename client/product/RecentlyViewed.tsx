import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { ProductDetail } from "../contract.gen";
import { productHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { List } from "../ui/List";
import { ProductImage } from "../ui/ProductImage";
import { withKeys } from "../ui/withKeys";
import { onRecentChange, parseRecent, readRecent, rememberProduct, whenSeen } from "./recentProducts";
import "./RecentlyViewed.css";

interface RecentlyViewedProps {
  /** The current product, which is added to the stored ones but not shown. */
  current: ProductDetail;
}

/** Products viewed before, from the browser's storage. The last section, because it appears after hydration and must not shift others. */
export function RecentlyViewed({ current }: RecentlyViewedProps) {
  const stored = useSyncExternalStore(onRecentChange, readRecent, () => null);
  const recent = useMemo(() => parseRecent(stored).filter(({ id }) => id !== current.id), [stored, current.id]);

  useEffect(() => whenSeen(() => { rememberProduct(current); }), [current]);

  if (recent.length === 0) return null;
  return (
    <section className="RecentlyViewed" aria-labelledby="recently-viewed-title">
      <h2 className="RecentlyViewed-title" id="recently-viewed-title">
        {text(Key.recentlyViewed)}
      </h2>
      <List className="RecentlyViewed-list">
        {withKeys(recent, ({ id }) => id).map(([key, product]) => (
          <li key={key} className="RecentlyViewed-item">
            <Link className="RecentlyViewed-link" to={productHref(product.id)}>
              <ProductImage src={product.thumbnail} alt="" name={product.title} />
              <span className="RecentlyViewed-name" dir="auto">
                {product.title}
              </span>
              <span className="RecentlyViewed-price">{product.price}</span>
            </Link>
          </li>
        ))}
      </List>
    </section>
  );
}
