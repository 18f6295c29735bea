import type { Pages } from "../contract.gen";
import { Pagination } from "../ui/Pagination";
import "./OverviewPages.css";

interface OverviewPagesProps {
  pages: Pages;
  /** The address of a page. */
  href: (page: number) => string;
}

/** Links to the pages of many categories or brands. */
export function OverviewPages({ pages: { page, pageCount }, href }: OverviewPagesProps) {
  if (pageCount <= 1) return null;
  return (
    <div className="OverviewPages">
      <Pagination page={page} pageCount={pageCount} href={href} onFollow={focusHeading} />
    </div>
  );
}

function focusHeading(): void {
  // The router decides whether the window scrolls.
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}
