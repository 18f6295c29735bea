import type { ProductCard } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ON_STAGE } from "../ui/picture";
import { ProductImage } from "../ui/ProductImage";
import { ProductHead } from "./ProductHead";
import "./ProductPending.css";

interface ProductPendingProps {
  /** The card that led here. Its picture, brand, title, stars and price stay in sight. */
  card: ProductCard | undefined;
}

/** Shown while a product is loading: a spinner, below what is known already. */
export function ProductPending({ card }: ProductPendingProps) {
  if (card === undefined) return <Spinner />;
  return (
    <div className="ProductPage ProductPending container">
      {/* The room of the link that leads back. */}
      <div className="ProductPage-back" aria-hidden="true" />
      <div className="ProductPage-product">
        <div className={`ProductPage-gallery ProductPending-picture${card.second === undefined ? "" : " ProductPending-picture--several"}`}>
          <ProductImage src={card.thumbnail} alt="" priority sizes={ON_STAGE} tint={card.tint} name={card.title} />
        </div>
        <div className="ProductSummary">
          <ProductHead product={card} />
          <Spinner />
        </div>
      </div>
    </div>
  );
}

function Spinner() {
  return (
    <div className="ProductPending-spinner" role="status">
      <span className="ProductPending-ring" aria-hidden="true" />
      <span>{text(Key.loadingProduct)}</span>
    </div>
  );
}
