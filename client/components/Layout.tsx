import { useRef, useState } from "react";
import type { Page } from "../contract.gen";
import { useArrival } from "../navigation/useArrival";
import { usePendingPage } from "../navigation/usePendingPage";
import { usePrefetch } from "../navigation/usePrefetch";
import type { Visit } from "../navigation/visit";
import { Footer } from "./Footer";
import { Header } from "./Header";
import { PageBoundary } from "./PageBoundary";
import { PageOutlet } from "./PageOutlet";
import { SkipLink } from "./SkipLink";
import { StarSprite } from "./StarSprite";
import "./Layout.css";

/** What every page stands in. */
export function Layout({ visit }: { visit: Visit }) {
  const frame = useRef<HTMLDivElement>(null);
  const page = visit.outcome instanceof Error ? undefined : visit.outcome;
  const categories = useCategories(page);
  const pending = usePendingPage();
  useArrival(visit);
  usePrefetch(frame);

  return (
    <div className="Layout" ref={frame}>
      <SkipLink />
      <StarSprite />
      <Header categories={categories} searchText={searchTextOf(page)} />
      <main className="Layout-main" id="main" tabIndex={-1} aria-busy={pending !== null}>
        <PageBoundary visit={visit}>
          <PageOutlet outcome={visit.outcome} pending={pending} />
        </PageBoundary>
      </main>
      <Footer />
    </div>
  );
}

/** For the header's menu: the last ones known, because a page that failed must not empty it. */
function useCategories(page: Page | undefined) {
  const [known, setKnown] = useState(page?.categories ?? []);
  const given = page?.categories ?? [];
  if (given.length > 0 && given !== known) setKnown(given);
  return known;
}

/** The text that the shown results were searched for; the search box keeps it. */
function searchTextOf(page: Page | undefined): string {
  const content = page?.content;
  return content?.kind === "listing" && content.source.type === "search" ? content.source.text : "";
}
