import type { Category } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { NavLink } from "../navigation/router";
import { CategoryMenu } from "./CategoryMenu";
import { linksOf, SHOP_LINKS } from "./shopLinks";
import "./MainNav.css";

interface MainNavProps {
  categories: readonly Category[];
  /** How many categories there are, if these are not all. */
  categoryTotal: number | undefined;
  /** Whether no product has a rating. */
  unrated: boolean;
}

export function MainNav({ categories, categoryTotal, unrated }: MainNavProps) {
  return (
    <nav className="MainNav" aria-label="Main">
      {categories.length > 0 ? (
        <CategoryMenu categories={categories} total={categoryTotal} />
      ) : (
        <NavLink className="MainNav-link" to={pageHref("/categories")}>
          All Categories
        </NavLink>
      )}
      <div className="MainNav-links">
        {linksOf(SHOP_LINKS, unrated).map(({ href, name }) => (
          <NavLink key={href} className="MainNav-link" to={href}>
            {name}
          </NavLink>
        ))}
      </div>
    </nav>
  );
}
