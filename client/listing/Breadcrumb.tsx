import type { ListingSource } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import type { PagePath } from "../navigation/routes";
import { Icon } from "../ui/Icon";
import "./Breadcrumb.css";

interface BreadcrumbProps {
  source: ListingSource;
  /** The name of the listing, which is the last item. */
  heading: string;
}

export function Breadcrumb({ source, heading }: BreadcrumbProps) {
  const parent: { href: PagePath; name: string } =
    source.type === "category" ? { href: "/categories", name: "Categories" } : { href: "/products", name: "All products" };
  return (
    <nav className="Breadcrumb" aria-label="Breadcrumb">
      <ol className="Breadcrumb-list">
        <li className="Breadcrumb-item">
          <Link className="Breadcrumb-link" to={pageHref("/")}>
            Home
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
