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
  /** Whether no product has a rating. */
  unrated: boolean;
}

export function MainNav({ categories, categoryTotal, links, unrated }: MainNavProps) {
  return (
    <nav className="MainNav" aria-label={text(Key.mainNavigation)}>
      {categories.length > 0 ? (
        <CategoryMenu categories={categories} total={categoryTotal} />
      ) : (
        <NavLink className="MainNav-link" to={pageHref("/categories")}>
          {text(Key.allCategories)}
        </NavLink>
      )}
      <div className="MainNav-links">
        {headerLinks(links, unrated).map(({ href, text: name }, index) => (
          <OperatorLink inside={NavLink} key={index} className="MainNav-link" href={href}>
            {name}
          </OperatorLink>
        ))}
      </div>
    </nav>
  );
}
