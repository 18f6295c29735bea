import { useRef } from "react";
import type { Page } from "../contract.gen";
import { useArrival } from "../navigation/useArrival";
import { useCurrentPage } from "../navigation/useCurrentPage";
import { usePendingPage } from "../navigation/usePendingPage";
import { usePrefetch } from "../navigation/usePrefetch";
import { ScrollRestoration } from "../router";
import { Footer } from "./Footer";
import { Header } from "./Header";
import { PageOutlet } from "./PageOutlet";
import { SkipLink } from "./SkipLink";
import { StarSprite } from "./StarSprite";
import "./Layout.css";

/** What every page stands in. */
export function Layout() {
  const frame = useRef<HTMLDivElement>(null);
  const { page, categories } = useCurrentPage();
  const pending = usePendingPage();
  useArrival(page);
  usePrefetch(frame);

  return (
    <div className="Layout" ref={frame}>
      <SkipLink />
      <StarSprite />
      <Header categories={categories} searchText={searchTextOf(page)} />
      <main className="Layout-main" id="main" tabIndex={-1} aria-busy={pending !== null}>
        <PageOutlet pending={pending} />
      </main>
      <Footer />
      <ScrollRestoration />
    </div>
  );
}

/** The text that the shown results were searched for; the search box keeps it. */
function searchTextOf(page: Page | undefined): string {
  const content = page?.content;
  return content?.kind === "listing" && content.source.type === "search" ? content.source.text : "";
}
