import { useRef } from "react";
import type { Page } from "../contract.gen";
import { storedText } from "../navigation/storedText";
import { useFocusAndScroll } from "../navigation/useFocusAndScroll";
import { usePageRouter } from "../navigation/usePageRouter";
import { usePendingPage } from "../navigation/usePendingPage";
import { usePrefetch } from "../navigation/usePrefetch";
import type { Visit } from "../navigation/visit";
import { FailedChange } from "./FailedChange";
import { Footer } from "./Footer";
import { Header } from "./Header";
import { PageBoundary } from "./PageBoundary";
import { PageOutlet } from "./PageOutlet";
import { SkipLink } from "./SkipLink";
import { StoredNotice } from "./StoredNotice";
import { useDocumentHead } from "./useDocumentHead";
import { useKnownCategories } from "./useKnownCategories";
import "./Layout.css";

/** The frame of every page. */
export function Layout({ visit }: { visit: Visit }) {
  const container = useRef<HTMLDivElement>(null);
  const page = visit.outcome instanceof Error ? undefined : visit.outcome;
  const { shop } = usePageRouter();
  const { categories, total, empty } = useKnownCategories(page);
  const pending = usePendingPage();
  useDocumentHead(visit, shop.name);
  useFocusAndScroll(visit);
  usePrefetch(container);

  return (
    <div className={`Layout ${awningOf(page)}`} ref={container}>
      <SkipLink />
      <Header shop={shop} categories={categories} categoryTotal={total} empty={empty} searchText={searchTextOf(page)} />
      <StoredNotice text={storedText(visit.outcome)} />
      <main className="Layout-main" id="main" tabIndex={-1} aria-busy={pending !== null}>
        <PageBoundary visit={visit}>
          <PageOutlet outcome={visit.outcome} pending={pending} />
        </PageBoundary>
      </main>
      <Footer shop={shop} empty={empty} />
      <FailedChange />
    </div>
  );
}

/** The class that gives the awning the colour of the page. While the next page loads, it stays. */
function awningOf(page: Page | undefined): string {
  if (page === undefined) return "";
  const { content } = page;
  const { kind } = content;
  const tint = kind === "product" ? content.product?.tint : kind === "listing" ? content.tint : undefined;
  return tint === undefined ? `Layout--${kind === "listing" ? content.source.type : kind}` : `tint-${tint}`;
}

/** The search text of a page of search results, which the search box shows. */
function searchTextOf(page: Page | undefined): string {
  const content = page?.content;
  return content?.kind === "listing" && content.source.type === "search" ? content.source.text : "";
}
