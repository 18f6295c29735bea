import { ProductImage } from "./ProductImage";
import "./Sill.css";

interface SillProps {
  pictures: readonly (string | null)[];
}

/** The most pictures that stand on a sill. */
const MOST = 3;

/** Pictures of products on a window sill: a decoration, which loads after everything else. */
export function Sill({ pictures }: SillProps) {
  const shown = [...new Set(pictures)].filter((src) => src !== null).slice(0, MOST);
  if (shown.length === 0) return null;
  return (
    <div className="Sill" aria-hidden="true">
      {shown.map((src) => (
        <span key={src} className="Sill-plate">
          <ProductImage src={src} alt="" />
        </span>
      ))}
    </div>
  );
}
