import type { ListingFigures as ListingFiguresContract } from "../contract.gen";
import "./ListingFigures.css";

interface ListingFiguresProps {
  figures: ListingFiguresContract;
  withDiscount: boolean;
}

/** How many products a listing has, from which price, and how deep the discount is, whatever the filters. */
export function ListingFigures({ figures: { products, lowestPrice, deepestDiscount }, withDiscount }: ListingFiguresProps) {
  return (
    <p className="ListingFigures">
      <span>{products === 1 ? "1 product" : `${products} products`}</span>
      <span>{` from ${lowestPrice}`}</span>
      {withDiscount && deepestDiscount !== undefined && (
        <span className="ListingFigures-discount">{` up to ${deepestDiscount}% off`}</span>
      )}
    </p>
  );
}
