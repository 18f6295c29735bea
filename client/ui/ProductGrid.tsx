import type { ProductCard as ProductCardContract } from "../contract.gen";
import { List } from "./List";
import { ProductCard } from "./ProductCard";
import { withKeys } from "./withKeys";
import "./ProductGrid.css";
import "./ProductRows.css";

interface ProductGridProps {
  products: readonly ProductCardContract[];
  onAdd: (product: ProductCardContract) => void;
  /** How many cards are visible without scrolling. */
  priorityCount?: number;
  /** A single row has as many cards as fit; the others are not shown at all. */
  rows?: 1;
  /** Rows of text, for products that hardly have pictures. */
  layout?: "grid" | "list";
}

export function ProductGrid({ products, onAdd, priorityCount = 0, rows, layout = "grid" }: ProductGridProps) {
  const grid = (
    <List className={rows === 1 ? "ProductGrid ProductGrid--row" : layout === "list" ? "ProductGrid ProductGrid--list" : "ProductGrid"}>
      {withKeys(products, ({ id }) => id).map(([key, product], index) => (
        <li key={key} className="ProductGrid-item">
          <ProductCard product={product} onAdd={onAdd} priority={index < priorityCount} />
        </li>
      ))}
    </List>
  );
  return rows === undefined ? grid : <div className="ProductGrid-room">{grid}</div>;
}
