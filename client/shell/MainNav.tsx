import type { Category, ShopLink } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { NavLink } from "../navigation/router";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { OperatorLink } from "../ui/OperatorLink";
import { CategoryMenu } from "./CategoryMenu";
import { headerLinks } from "./shopLinks";
import "./MainNav.css";

interface MainNavProps {
  categories: readonly Category[];
  /** How many categories there are, if these are not all. */
  categoryTotal: number | undefined;
  /** The operator's links, if there are any. */
  links: readonly ShopLink[] | undefined;
  /** The pages that would be empty. */
  empty: readonly string[];
}

export function MainNav({ categories, categoryTotal, links, empty }: MainNavProps) {
  return (
    <nav className="MainNav" aria-label={text(Key.mainNavigation)}>
      {categories.length > 0 ? (
        <CategoryMenu categories={categories} total={categoryTotal} />
      ) : (
        !empty.includes("categories") && (
          <NavLink className="MainNav-link" to={pageHref("/categories")}>
            {text(Key.allCategories)}
          </NavLink>
        )
      )}
      <div className="MainNav-links">
        {headerLinks(links, empty).map(({ href, text: name }, index) => (
          <OperatorLink inside={NavLink} key={index} className="MainNav-link" href={href}>
            {name}
          </OperatorLink>
        ))}
      </div>
    </nav>
  );
}
