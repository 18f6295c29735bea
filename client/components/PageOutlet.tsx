import { useEffect } from "react";
import type { Page } from "../contract.gen";
import type { Pending } from "../routes";
import { ListingSkeleton } from "./listing/ListingSkeleton";
import { PageContent } from "./PageContent";
import { ProductSpinner } from "./product/ProductSpinner";
import { ProgressBar } from "./ProgressBar";
import { RouteError } from "./RouteError";

interface PageOutletProps {
  outcome: Page | Error;
  /** What stands in for the page that is on its way, if it takes long enough. */
  pending: Pending | null;
}

export function PageOutlet({ outcome, pending }: PageOutletProps) {
  const replaced = pending === "listing" || pending === "product";

  // The stand-in is short; a reader deep in a long page would be left below its end.
  useEffect(() => {
    if (replaced) window.scrollTo(0, 0);
  }, [replaced]);

  if (pending === "listing") return <ListingSkeleton />;
  if (pending === "product") return <ProductSpinner />;
  return (
    <>
      {pending === "bar" && <ProgressBar />}
      {outcome instanceof Error ? <RouteError error={outcome} /> : <PageContent page={outcome} />}
    </>
  );
}
