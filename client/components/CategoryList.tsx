import type { CategoryCard } from "../contract.gen";
import { CategoryTile } from "./CategoryTile";
import "./CategoryList.css";

interface CategoryListProps {
  categories: readonly CategoryCard[];
  /** A shelf is the home page's single row. */
  layout: "grid" | "list" | "shelf";
  /** How many tiles, from the first, are seen without scrolling. */
  priorityCount?: number;
}

export function CategoryList({ categories, layout, priorityCount = 0 }: CategoryListProps) {
  return (
    // Some screen readers drop the list role from lists without bullets; naming it keeps it.
    // eslint-disable-next-line jsx-a11y/no-redundant-roles
    <ul className={`CategoryList CategoryList--${layout}`} role="list">
      {categories.map((category, index) => (
        <li key={category.slug} className="CategoryList-item">
          <CategoryTile category={category} priority={index < priorityCount} />
        </li>
      ))}
    </ul>
  );
}
