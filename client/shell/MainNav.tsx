import type { Category } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { NavLink } from "../navigation/router";
import { CategoryMenu } from "./CategoryMenu";
import { SHOP_LINKS } from "./shopLinks";
import "./MainNav.css";

export function MainNav({ categories }: { categories: readonly Category[] }) {
  return (
    <nav className="MainNav container" aria-label="Main">
      {categories.length > 0 ? (
        <CategoryMenu categories={categories} />
      ) : (
        <NavLink className="MainNav-link" to={pageHref("/categories")}>
          All Categories
        </NavLink>
      )}
      {SHOP_LINKS.map(({ href, name }) => (
        <NavLink key={href} className="MainNav-link" to={href}>
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
