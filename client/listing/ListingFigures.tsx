import type { ListingFigures as ListingFiguresContract } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import "./ListingFigures.css";

interface ListingFiguresProps {
  figures: ListingFiguresContract;
  withDiscount: boolean;
}

/** What a listing has, from which price, and its deepest discount, whatever the filters. */
export function ListingFigures({ figures: { story, deepestDiscount }, withDiscount }: ListingFiguresProps) {
  return (
    <p className="ListingFigures">
      <span>{story}</span>
      {withDiscount && deepestDiscount !== undefined && (
        <span className="ListingFigures-discount">{` ${text(Key.upToOff, text(Key.percent, deepestDiscount))}`}</span>
      )}
    </p>
  );
}
