import type { ProductCard } from "../contract.gen";
import { Sill } from "../ui/Sill";
import "./HomeHead.css";

interface HomeHeadProps {
  name: string;
  tagline: string | undefined;
  products: readonly ProductCard[];
}

/** The head of a home page without a banner: the shop's name, and some of its products on a window sill. */
export function HomeHead({ name, tagline, products }: HomeHeadProps) {
  return (
    <header className="SaleBanner-panel HomeHead">
      <div className="HomeHead-words">
        <h1 tabIndex={-1} dir="auto">
          {name}
        </h1>
        {tagline !== undefined && (
          <p className="SaleBanner-text" dir="auto">
            {tagline}
          </p>
        )}
      </div>
      <Sill cards={products} />
    </header>
  );
}
