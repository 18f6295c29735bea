import type { ProductDetail } from "../contract.gen";
import { usePageRouter } from "../navigation/usePageRouter";
import { phrase, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ProductActions } from "./ProductActions";
import { ProductEnquiry } from "./ProductEnquiry";
import { ProductFacts } from "./ProductFacts";
import { ProductHead } from "./ProductHead";
import { ProductLink } from "./ProductLink";
import { ProductOptions } from "./ProductOptions";
import { ProductTags } from "./ProductTags";
import { OperatorLink } from "../ui/OperatorLink";
import { REVIEWS_ID } from "./Reviews";
import { StockBadge } from "./StockBadge";
import "./ProductSummary.css";

interface ProductSummaryProps {
  product: ProductDetail;
}

/** Everything beside the pictures. */
export function ProductSummary({ product }: ProductSummaryProps) {
  const { rating, reviews, enquiry, priceNote } = product;
  const { own, promises } = usePageRouter().shop;
  const isQuiet = own === true && product.availability.some(({ tone }) => tone === "none");
  // Without a rating, the section of the reviews alone says that there are none.
  const hasCount = reviews !== null && (rating !== null || reviews.length > 0);
  return (
    <div className="ProductSummary">
      <ProductHead product={product}>
        {hasCount && (
          <a className="ProductSummary-reviews" href={`#${REVIEWS_ID}`}>
            {text(Key.numberOfReviews, reviews.length)}
          </a>
        )}
      </ProductHead>
      {priceNote !== undefined && (
        <OperatorLink className="Price-note" href={priceNote.href}>
          {priceNote.text}
        </OperatorLink>
      )}
      <div className="ProductSummary-line">
        <StockBadge labels={product.availability} />
        {product.sku !== "" && (
          <p className="ProductSummary-sku">
            {phrase(Key.sku, <bdi>{product.sku}</bdi>)}
          </p>
        )}
      </div>
      <ProductOptions product={product} />
      <p className="ProductSummary-description" dir="auto">
        {product.description}
      </p>
      {product.link !== undefined && <ProductLink link={product.link} quiet={isQuiet} />}
      {enquiry !== undefined && <ProductEnquiry enquiry={enquiry} quiet={isQuiet} promises={promises} />}
      <ProductActions product={product} />
      <ProductFacts facts={product.facts} />
      <ProductTags tags={product.tags} />
    </div>
  );
}
