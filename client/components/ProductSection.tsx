import { useId } from "react";
import type { ProductCard, Section } from "../contract.gen";
import { FailureNotice } from "./FailureNotice";
import { ProductGrid } from "./ProductGrid";
import { SectionHeading } from "./SectionHeading";
import "./ProductSection.css";

interface ProductSectionProps {
  title: string;
  section: Section;
  onAdd: (product: ProductCard) => void;
}

/** One of the home page's rows of products; it fails alone. */
export function ProductSection({ title, section, onAdd }: ProductSectionProps) {
  const id = useId();
  return (
    <section className="ProductSection" aria-labelledby={id}>
      <SectionHeading id={id} title={title} href="/products" />
      {section.failed ? <FailureNotice what="products" /> : <ProductGrid products={section.products} onAdd={onAdd} />}
    </section>
  );
}
