import { initial } from "./initial";
import { ProductImage } from "./ProductImage";
import "./Plate.css";

/** A product or a category. */
export interface Pictured {
  thumbnail: string | null;
  tint: number;
}

interface PlateProps {
  name: string;
  /** Undefined while the card is not known. */
  card: Pictured | undefined;
}

/** A small picture beside its name, or for decoration. While it is missing or loading, the initial stands in its place. */
export function Plate({ name, card }: PlateProps) {
  return (
    <span className={`Plate tint-${card?.tint ?? ""}`} data-initial={initial(name)} aria-hidden="true">
      <ProductImage src={card?.thumbnail ?? null} alt="" sizes="10rem" />
    </span>
  );
}
