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
  /** Undefined while it is not known. */
  card: Pictured | undefined;
}

/** A small picture beside its name, or for decoration. Where it is missing or still loading, the initial stands. */
export function Plate({ name, card }: PlateProps) {
  return (
    <span className={`Plate tint-${card?.tint ?? ""}`} data-initial={initial(name)} aria-hidden="true">
      <ProductImage src={card?.thumbnail ?? null} alt="" />
    </span>
  );
}
