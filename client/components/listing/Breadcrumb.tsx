import { ChevronRight } from "lucide-react";
import type { ListingSource } from "../../contract.gen";
import { Link } from "../../router";
import "./Breadcrumb.css";

interface BreadcrumbProps {
  source: ListingSource;
  /** Name of the listing itself, the last crumb. */
  heading: string;
}

export function Breadcrumb({ source, heading }: BreadcrumbProps) {
  const parent = source.type === "category" ? { href: "/categories", name: "Categories" } : { href: "/products", name: "All products" };
  return (
    <nav className="Breadcrumb" aria-label="Breadcrumb">
      <ol className="Breadcrumb-list">
        <li className="Breadcrumb-item">
          <Link className="Breadcrumb-link" to="/">
            Home
          </Link>
        </li>
        {source.type !== "all" && (
          <li className="Breadcrumb-item">
            <ChevronRight aria-hidden="true" size={14} />
            <Link className="Breadcrumb-link" to={parent.href}>
              {parent.name}
            </Link>
          </li>
        )}
        <li className="Breadcrumb-item" aria-current="page">
          <ChevronRight aria-hidden="true" size={14} />
          <bdi className="Breadcrumb-here">{heading}</bdi>
        </li>
      </ol>
    </nav>
  );
}
