import { useId } from "react";
import type { ProductCard as ProductCardContract, Section } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { Key } from "../texts/texts.gen";
import { FailureNotice } from "../ui/FailureNotice";
import { ProductCard } from "../ui/ProductCard";
import { ProductShelf } from "../ui/ProductShelf";
import { SectionHeading } from "../ui/SectionHeading";
import "./ProductSection.css";

interface ProductSectionProps {
  title: string;
  section: Section;
  onAdd: (product: ProductCardContract) => void;
  /** `lead` shows the first product large, `ranked` numbers them all, `window` has a background of its own. */
  look: "lead" | "ranked" | "window";
}

/** Products of the home page, or a notice if they could not be loaded, under a heading that links to all products. */
export function ProductSection({ title, section: { products, failed }, onAdd, look }: ProductSectionProps) {
  const id = useId();
  const lead = look === "lead" ? products[0] : undefined;
  const others = lead === undefined ? products : products.slice(1);
  return (
    <section className={`ProductSection ProductSection--${failed ? "failed" : look}`} aria-labelledby={id}>
      <SectionHeading id={id} title={title} href={pageHref("/products")} />
      {failed && <FailureNotice failure={Key.productsFailed} />}
      {lead !== undefined && (
        <div className="ProductSection-lead">
          <ProductCard product={lead} onAdd={onAdd} />
        </div>
      )}
      {others.length > 0 && <ProductShelf products={others} onAdd={onAdd} labelId={id} />}
    </section>
  );
}
