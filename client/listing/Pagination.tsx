import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Listing } from "../contract.gen";
import { listingHref } from "../navigation/filterUrl";
import { Link } from "../navigation/router";
import { pageNumbers } from "./pageNumbers";
import { focusResultCount } from "./resultCountFocus";
import "./Pagination.css";

interface PaginationProps {
  listing: Listing;
}

export function Pagination({ listing: { basePath, filters, page, pageCount } }: PaginationProps) {
  if (pageCount <= 1) return null;
  // A navigation scrolls to the top, so the focus moves there too.
  const link = (to: number) => ({ to: listingHref(basePath, filters, to), onClick: focusResultCount });
  return (
    <nav className="Pagination" aria-label="Pages">
      {page > 1 && (
        <Link className="Pagination-step" rel="prev" {...link(page - 1)}>
          <ChevronLeft aria-hidden="true" size={20} />
          <span className="Pagination-word">Previous</span>
          <span className="visually-hidden"> page</span>
        </Link>
      )}
      <ol className="Pagination-pages">
        {pageNumbers(page, pageCount).map((number, index) =>
          number === null ? (
            <li key={`gap ${index}`} className="Pagination-gap" aria-hidden="true">
              ...
            </li>
          ) : (
            <li key={number}>
              <Link className="Pagination-page" aria-current={number === page ? "page" : undefined} {...link(number)}>
                <span className="visually-hidden">Page </span>
                {number}
              </Link>
            </li>
          ),
        )}
      </ol>
      {page < pageCount && (
        <Link className="Pagination-step" rel="next" {...link(page + 1)}>
          <span className="Pagination-word">Next</span>
          <span className="visually-hidden"> page</span>
          <ChevronRight aria-hidden="true" size={20} />
        </Link>
      )}
    </nav>
  );
}
