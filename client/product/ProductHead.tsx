import type { ReactElement } from "react";
import type { Price as PriceContract, Rating } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { listingHref, NO_FILTERS } from "../navigation/filterUrl";
import { Link } from "../navigation/Link";
import { Price } from "../ui/Price";
import { StarRating } from "../ui/StarRating";
import "./ProductHead.css";

interface ProductHeadProps {
  /** The fields of a product that its card has, too. */
  product: { title: string; brand: string | null; rating: Rating | null; price: PriceContract };
  /** Shown beside the stars. */
  children?: ReactElement | false;
}

/** Brand, title, stars and price. They are the same, and at the same place, while the rest is loading. */
export function ProductHead({ product: { title, brand, rating, price }, children }: ProductHeadProps) {
  return (
    <div className="ProductHead">
      {brand !== null && (
        <Link className="ProductHead-brand" to={listingHref(pageHref("/products"), { ...NO_FILTERS, brand: [brand] })}>
          <bdi className="ProductHead-brandName">{brand}</bdi>
        </Link>
      )}
      <h1 className="ProductHead-title" tabIndex={-1} dir="auto">
        {title}
      </h1>
      <div className="ProductHead-rating">
        {rating !== null && <StarRating rating={rating} />}
        {children}
      </div>
      <Price price={price} size="detail" />
    </div>
  );
}
