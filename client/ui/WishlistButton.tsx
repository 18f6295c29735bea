import { useState } from "react";
import type { ProductCard as ProductCardContract } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "./Icon";
import "./WishlistButton.css";

/** The heart on a card. It logs each change and forgets its state with the page. */
export function WishlistButton({ product }: { product: ProductCardContract }) {
  const [wished, setWished] = useState(false);

  function toggle() {
    const next = !wished;
    setWished(next);
    console.log(next ? "Added to wishlist:" : "Removed from wishlist:", product.title);
  }

  return (
    <button
      type="button"
      className="WishlistButton"
      aria-pressed={wished}
      aria-label={text(Key.wishlist, product.title)}
      onClick={toggle}
    >
      <Icon name="heart" size={20} />
    </button>
  );
}
