import { useState } from "react";
import type { ProductCard as ProductCardContract } from "../contract.gen";
import { productHref } from "../navigation/addresses";
import { Link } from "../navigation/router";
import { AddButton } from "./AddButton";
import { Price } from "./Price";
import { ProductImage } from "./ProductImage";
import { StarRating } from "./StarRating";
import { WishlistButton } from "./WishlistButton";
import "./ProductCard.css";

interface ProductCardProps {
  product: ProductCardContract;
  /** Called after the add animation. */
  onAdd: (product: ProductCardContract) => void;
  /** Set for the first cards of a page, whose images are visible at once. */
  priority?: boolean;
}

/** Below this stock the card shows how many are left. */
const LOW_STOCK = 10;

export function ProductCard({ product, onAdd, priority = false }: ProductCardProps) {
  const [chosen, setChosen] = useState(false);

  return (
    <article className="ProductCard">
      {/* The chosen picture morphs into the one of the product page. Another card may show the same product. */}
      <div className={chosen ? "ProductCard-media ProductCard-media--chosen" : "ProductCard-media"}>
        <ProductImage src={product.thumbnail} alt="" priority={priority} />
      </div>
      <WishlistButton product={product} />
      <div className="ProductCard-body">
        {product.brand !== null && (
          <p className="ProductCard-brand">
            <bdi>{product.brand}</bdi>
          </p>
        )}
        <h3 className="ProductCard-title" dir="auto">
          <Link
            className="ProductCard-link"
            to={productHref(product.id)}
            onClick={() => {
              setChosen(true);
            }}
          >
            {product.title}
          </Link>
        </h3>
        <StarRating rating={product.rating} />
        <div className="ProductCard-foot">
          <div className="ProductCard-offer">
            <Price price={product.price} />
            <CardStock stock={product.stock} />
          </div>
          <AddButton product={product} onAdd={onAdd} />
        </div>
      </div>
    </article>
  );
}

function CardStock({ stock }: { stock: number }) {
  if (stock >= LOW_STOCK) return <p className="ProductCard-stock">In Stock</p>;
  const urgency = stock === 0 ? "none" : "few";
  return <p className={`ProductCard-stock ProductCard-stock--${urgency}`}>{stock} left</p>;
}
