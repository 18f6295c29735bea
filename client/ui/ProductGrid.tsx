import type { ProductCard as ProductCardContract } from "../contract.gen";
import { List } from "./List";
import { ProductCard } from "./ProductCard";
import "./ProductGrid.css";

interface ProductGridProps {
  products: readonly ProductCardContract[];
  onAdd: (product: ProductCardContract) => void;
  /** How many cards are visible without scrolling. */
  priorityCount?: number;
}

export function ProductGrid({ products, onAdd, priorityCount = 0 }: ProductGridProps) {
  return (
    <List className="ProductGrid">
      {products.map((product, index) => (
        <li key={product.id} className="ProductGrid-item">
          <ProductCard product={product} onAdd={onAdd} priority={index < priorityCount} />
        </li>
      ))}
    </List>
  );
}
