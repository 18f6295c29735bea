import { useState } from "react";
import type { ProductCard as ProductCardContract } from "../contract.gen";
import { usePageRouter } from "../navigation/usePageRouter";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "./Icon";
import { toggleSaved, useSaved } from "./savedProducts";
import "./WishlistButton.css";

/** The heart on a card: it saves the product in shops that keep a list; elsewhere it logs each change and forgets its state with the page. */
export function WishlistButton({ product }: { product: ProductCardContract }) {
  const { saves = false } = usePageRouter().shop;
  const saved = useSaved();
  const [wished, setWished] = useState(false);

  function toggle() {
    if (saves) {
      toggleSaved(product);
      return;
    }
    const next = !wished;
    setWished(next);
    console.log(next ? "Added to wishlist:" : "Removed from wishlist:", product.title);
  }

  return (
    <button
      type="button"
      className="WishlistButton"
      aria-pressed={saves ? saved.some(({ id }) => id === product.id) : wished}
      aria-label={text(saves ? Key.saveProduct : Key.wishlist, product.title)}
      onClick={toggle}
    >
      <Icon name="heart" size={20} />
    </button>
  );
}
