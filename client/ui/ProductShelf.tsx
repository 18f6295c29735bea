import type { ProductCard as ProductCardContract } from "../contract.gen";
import { List } from "./List";
import { ProductCard } from "./ProductCard";
import { withKeys } from "./withKeys";
import "./ProductShelf.css";

interface ProductShelfProps {
  products: readonly ProductCardContract[];
  onAdd: (product: ProductCardContract) => void;
  /** How many cards are visible without scrolling. */
  priorityCount?: number;
  /** The id of the heading that names the shelf. */
  labelId?: string;
}

/**
 * A single row of products. What does not fit is scrolled to: by touch, by arrows or the scrollbar, or by the keyboard,
 * which scrolls along with the focus.
 */
export function ProductShelf({ products, onAdd, priorityCount = 0, labelId }: ProductShelfProps) {
  return (
    <div className="ProductShelf">
      <List className="ProductShelf-row" aria-labelledby={labelId}>
        {withKeys(products, ({ id }) => id).map(([key, product], index) => (
          <li key={key} className="ProductShelf-item">
            <ProductCard product={product} onAdd={onAdd} priority={index < priorityCount} />
          </li>
        ))}
      </List>
    </div>
  );
}
