import { useState } from "react";
import type { ProductCard as ProductCardContract } from "../contract.gen";
import { Link } from "../router";
import { AddButton } from "./AddButton";
import { Price } from "./Price";
import { ProductImage } from "./ProductImage";
import { StarRating } from "./StarRating";
import { WishlistButton } from "./WishlistButton";
import "./ProductCard.css";

interface ProductCardProps {
  product: ProductCardContract;
  /** Called once, after the add animation. */
  onAdd: (product: ProductCardContract) => void;
  /** For the first cards of a page, whose images are seen at once. */
  priority?: boolean;
}

const FEW_LEFT = 10;

export function ProductCard({ product, onAdd, priority = false }: ProductCardProps) {
  const [chosen, setChosen] = useState(false);
  const few = product.stock < FEW_LEFT;

  return (
    <article className="ProductCard">
      {/* The picture that was clicked becomes the product page's; another card may show the same product. */}
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
            to={`/product/${product.id}`}
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
            <p className={few ? "ProductCard-stock ProductCard-stock--few" : "ProductCard-stock"}>
              {few ? `${product.stock} left` : "In Stock"}
            </p>
          </div>
          <AddButton product={product} onAdd={onAdd} />
        </div>
      </div>
    </article>
  );
}
