import type { CategoryCard } from "../contract.gen";
import { CategoryTile } from "./CategoryTile";
import { List } from "./List";
import { withKeys } from "./withKeys";
import "./CategoryList.css";

interface CategoryListProps {
  categories: readonly CategoryCard[];
  /** `shelf` is the single row of the home page. */
  layout: "grid" | "list" | "shelf";
  /** How many tiles are visible without scrolling. */
  priorityCount?: number;
}

export function CategoryList({ categories, layout, priorityCount = 0 }: CategoryListProps) {
  return (
    <List className={`CategoryList CategoryList--${layout}`}>
      {withKeys(categories, ({ slug }) => slug).map(([key, category], index) => (
        <li key={key} className="CategoryList-item">
          <CategoryTile category={category} priority={index < priorityCount} />
        </li>
      ))}
    </List>
  );
}
