import type { ListingFigures as ListingFiguresContract } from "../contract.gen";
import "./ListingFigures.css";

interface ListingFiguresProps {
  figures: ListingFiguresContract;
  withDiscount: boolean;
}

/** From which price a listing has products, and how deep the discount is, whatever the filters. */
export function ListingFigures({ figures: { lowestPrice, deepestDiscount }, withDiscount }: ListingFiguresProps) {
  return (
    <p className="ListingFigures">
      <span>{`From ${lowestPrice}`}</span>
      {withDiscount && deepestDiscount !== undefined && (
        <span className="ListingFigures-discount">{` up to ${deepestDiscount}% off`}</span>
      )}
    </p>
  );
}
