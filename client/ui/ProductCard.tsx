import { useState } from "react";
import type { ReactElement } from "react";
import type { AvailabilityLabel, ProductCard as ProductCardContract } from "../contract.gen";
import { productHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { AddButton } from "./AddButton";
import { Price } from "./Price";
import { ProductImage } from "./ProductImage";
import { SecondPicture } from "./SecondPicture";
import { StarRating } from "./StarRating";
import { Swatches } from "./Swatches";
import { WishlistButton } from "./WishlistButton";
import "./ProductCard.css";

interface ProductCardProps {
  product: ProductCardContract;
  /** Called after the add animation. */
  onAdd: (product: ProductCardContract) => void;
  /** Set for the first cards of a page, whose images are visible at once. */
  priority?: boolean;
}

export function ProductCard({ product, onAdd, priority = false }: ProductCardProps) {
  const [chosen, setChosen] = useState(false);
  const [wantsSecond, setWantsSecond] = useState(false);
  const details = [product.brand, product.facts, product.number].filter(Boolean).join(", ");

  // Touch screens never show the second picture, so they need not load it.
  function wantSecond() {
    if (window.matchMedia("(hover: hover)").matches) setWantsSecond(true);
  }

  return (
    <article className={product.availability?.tone === "none" ? "ProductCard ProductCard--sold-out" : "ProductCard"} onPointerEnter={wantSecond} onFocus={wantSecond}>
      {/* The chosen picture morphs into the one of the product page. Another card may show the same product. */}
      <div className={chosen ? "ProductCard-media ProductCard-media--chosen" : "ProductCard-media"}>
        <ProductImage src={product.thumbnail} alt="" priority={priority} tint={product.tint} name={product.title} />
        {wantsSecond && product.second !== undefined && <SecondPicture src={product.second} tint={product.tint} />}
      </div>
      <div className="ProductCard-words">
        <h3 className="ProductCard-title" dir="auto">
          <Link
            className="ProductCard-link"
            to={productHref(product.id)}
            onClick={() => {
              setChosen(true);
            }}
          >
            {unbroken(product.title)}
          </Link>
        </h3>
        {details !== "" && (
          <p className="ProductCard-brand">
            <bdi>{details}</bdi>
          </p>
        )}
        {product.colours !== undefined && <Swatches colours={product.colours} />}
      </div>
      {/* On the picture, but after the title, which the keyboard reaches first. */}
      {product.noHeart !== true && <WishlistButton product={product} />}
      {product.rating !== null && <StarRating rating={product.rating} />}
      <div className="ProductCard-foot">
        <Price price={product.price} />
        <CardStock label={product.availability} />
        {product.noCart !== true && <AddButton product={product} onAdd={onAdd} />}
      </div>
    </article>
  );
}

function CardStock({ label }: { label: AvailabilityLabel | null }) {
  if (label === null) return null;
  const { text, tone } = label;
  return <p className={tone === undefined ? "ProductCard-stock" : `ProductCard-stock ProductCard-stock--${tone}`}>{text}</p>;
}

/** The title, in which words with hyphens stay in one line. */
function unbroken(title: string): string | (ReactElement | false)[] {
  const parts = title.split(/((?<!\S)[^\s-]*-\S+)/);
  if (parts.length === 1) return title;
  // The parts of a title never change their places.
  return parts.map(
    (part, index) =>
      part !== "" && (
        <span key={index} className={index % 2 === 1 ? "ProductCard-word" : undefined}>
          {part}
        </span>
      ),
  );
}
