import type { ProductDetail } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { listingHref, NO_FILTERS } from "../navigation/filterUrl";
import { Link } from "../navigation/router";
import { Price } from "../ui/Price";
import { StarRating } from "../ui/StarRating";
import { ProductActions } from "./ProductActions";
import { ProductFacts } from "./ProductFacts";
import { ProductTags } from "./ProductTags";
import { StockBadge } from "./StockBadge";
import "./ProductSummary.css";

interface ProductSummaryProps {
  product: ProductDetail;
}

/** Everything beside the pictures. */
export function ProductSummary({ product }: ProductSummaryProps) {
  return (
    <div className="ProductSummary">
      <div className="ProductSummary-head">
        <div className="ProductSummary-line">
          {product.brand !== null && (
            <Link className="ProductSummary-brand" to={listingHref(pageHref("/products"), { ...NO_FILTERS, brands: [product.brand] })}>
              <bdi className="ProductSummary-brandName">{product.brand}</bdi>
            </Link>
          )}
          <StockBadge stock={product.stock} />
        </div>
        <h1 className="ProductSummary-title" tabIndex={-1} dir="auto">
          {product.title}
        </h1>
        <div className="ProductSummary-line">
          <StarRating rating={product.rating} count={product.reviews.length} />
          <p className="ProductSummary-sku">
            SKU <bdi>{product.sku}</bdi>
          </p>
        </div>
      </div>
      <Price price={product.price} size="detail" />
      <p className="ProductSummary-description" dir="auto">
        {product.description}
      </p>
      <ProductActions product={product} />
      <ProductFacts product={product} />
      <ProductTags tags={product.tags} />
    </div>
  );
}
