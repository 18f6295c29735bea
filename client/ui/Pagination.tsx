import { Link } from "../navigation/Link";
import { language, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "./Icon";
import { pageNumbers } from "./pageNumbers";
import "./Pagination.css";

interface PaginationProps {
  /** From 1. */
  page: number;
  pageCount: number;
  /** The address of a page. */
  href: (page: number) => string;
  /** Moves the focus: the navigation scrolls to the top, so the focus should be there too. */
  onFollow: () => void;
}

export function Pagination({ page, pageCount, href, onFollow }: PaginationProps) {
  if (pageCount <= 1) return null;
  const link = (to: number) => ({ to: href(to), onClick: onFollow });
  return (
    <nav className="Pagination" lang={language} aria-label={text(Key.pages)}>
      {page > 1 && (
        <Link className="Pagination-step" rel="prev" {...link(page - 1)}>
          <Icon name="chevron-left" size={20} />
          <span className="Pagination-word">{text(Key.previous)}</span>
          <span className="visually-hidden">{` ${text(Key.previousAfter)}`}</span>
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
                <span className="visually-hidden">{`${text(Key.pageBefore)} `}</span>
                <span>{number}</span>
              </Link>
            </li>
          ),
        )}
      </ol>
      {page < pageCount && (
        <Link className="Pagination-step" rel="next" {...link(page + 1)}>
          <span className="Pagination-word">{text(Key.next)}</span>
          <span className="visually-hidden">{` ${text(Key.nextAfter)}`}</span>
          <Icon name="chevron-right" size={20} />
        </Link>
      )}
    </nav>
  );
}
