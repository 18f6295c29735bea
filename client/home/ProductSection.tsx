import { useId } from "react";
import type { ProductCard, Section } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { FailureNotice } from "../ui/FailureNotice";
import { ProductGrid } from "../ui/ProductGrid";
import { SectionHeading } from "../ui/SectionHeading";
import "./ProductSection.css";

interface ProductSectionProps {
  title: string;
  section: Section;
  onAdd: (product: ProductCard) => void;
}

/** A section of the home page with products, or with a notice when they could not be loaded. */
export function ProductSection({ title, section, onAdd }: ProductSectionProps) {
  const id = useId();
  return (
    <section className="ProductSection" aria-labelledby={id}>
      <SectionHeading id={id} title={title} href={pageHref("/products")} />
      {section.failed ? <FailureNotice what="products" /> : <ProductGrid products={section.products} onAdd={onAdd} />}
    </section>
  );
}
