import { useState } from "react";
import { Bookmark, Share2, ShoppingBag } from "lucide-react";
import type { ProductDetail } from "../contract.gen";
import { QuantitySelector } from "./QuantitySelector";
import "./ProductActions.css";

interface ProductActionsProps {
  product: ProductDetail;
}

/** The quantity and three buttons, which only log: the shop has no cart and no accounts. */
export function ProductActions({ product }: ProductActionsProps) {
  const minimum = Math.max(1, product.minimumOrderQuantity);
  const [quantity, setQuantity] = useState(minimum);
  return (
    <div className="ProductActions">
      <QuantitySelector quantity={quantity} minimum={minimum} minimumTotal={product.minimumOrderTotal} onChange={setQuantity} />
      <div className="ProductActions-buttons">
        <button
          className="button button--primary ProductActions-add"
          type="button"
          onClick={() => {
            console.log("Add to cart:", product.title, quantity);
          }}
        >
          <ShoppingBag aria-hidden="true" size={20} />
          Add to Cart
        </button>
        <button
          className="button button--quiet"
          type="button"
          onClick={() => {
            console.log("Save:", product.title);
          }}
        >
          <Bookmark aria-hidden="true" size={20} />
          Save
        </button>
        <button
          className="button button--quiet"
          type="button"
          onClick={() => {
            console.log("Share:", product.title);
          }}
        >
          <Share2 aria-hidden="true" size={20} />
          Share
        </button>
      </div>
    </div>
  );
}
