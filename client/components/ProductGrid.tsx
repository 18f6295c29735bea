import type { ProductCard as ProductCardContract } from "../contract.gen";
import { ProductCard } from "./ProductCard";
import "./ProductGrid.css";

interface ProductGridProps {
  products: readonly ProductCardContract[];
  onAdd: (product: ProductCardContract) => void;
  /** How many cards, from the first, are seen without scrolling. */
  priorityCount?: number;
}

export function ProductGrid({ products, onAdd, priorityCount = 0 }: ProductGridProps) {
  return (
    // Some screen readers drop the list role from lists without bullets; naming it keeps it.
    // eslint-disable-next-line jsx-a11y/no-redundant-roles
    <ul className="ProductGrid" role="list">
      {products.map((product, index) => (
        <li key={product.id} className="ProductGrid-item">
          <ProductCard product={product} onAdd={onAdd} priority={index < priorityCount} />
        </li>
      ))}
    </ul>
  );
}
