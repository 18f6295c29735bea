import type { ListingSource } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import type { PagePath } from "../navigation/routes";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import "./Breadcrumb.css";

interface BreadcrumbProps {
  source: ListingSource;
  /** The name of the listing, which is the last item. */
  heading: string;
}

export function Breadcrumb({ source, heading }: BreadcrumbProps) {
  const parent: { href: PagePath; name: string } =
    source.type === "category" ? { href: "/categories", name: text(Key.categories) } : { href: "/products", name: text(Key.allProductsLink) };
  return (
    <nav className="Breadcrumb" aria-label={text(Key.breadcrumb)}>
      <ol className="Breadcrumb-list">
        <li className="Breadcrumb-item">
          <Link className="Breadcrumb-link" to={pageHref("/")}>
            {text(Key.home)}
          </Link>
        </li>
        {source.type !== "all" && (
          <li className="Breadcrumb-item">
            <Icon name="chevron-right" size={14} />
            <Link className="Breadcrumb-link" to={parent.href}>
              {parent.name}
            </Link>
          </li>
        )}
        <li className="Breadcrumb-item" aria-current="page">
          <Icon name="chevron-right" size={14} />
          <bdi className="Breadcrumb-here">{heading}</bdi>
        </li>
      </ol>
    </nav>
  );
}
