import { useEffect } from "react";
import type { Page } from "../contract.gen";
import { ListingSkeleton } from "../listing/ListingSkeleton";
import { useNextLocation } from "../navigation/useNextLocation";
import type { Pending } from "../navigation/routes";
import { usePageRouter } from "../navigation/usePageRouter";
import { ProductPending } from "../product/ProductPending";
import { shownCard } from "../product/shownCard";
import { PageContent } from "./PageContent";
import { ProgressBar } from "./ProgressBar";
import { RouteError } from "./RouteError";

interface PageOutletProps {
  outcome: Page | Error;
  /** What to show while the next page loads. */
  pending: Pending | null;
}

export function PageOutlet({ outcome, pending }: PageOutletProps) {
  const { retry } = usePageRouter();
  const next = useNextLocation();
  const hasPlaceholder = pending === "listing" || pending === "product";

  // The placeholder is short: a window scrolled far down would show the space below its end.
  useEffect(() => {
    if (hasPlaceholder) window.scrollTo(0, 0);
  }, [hasPlaceholder]);

  if (pending === "listing") return <ListingSkeleton />;
  if (pending === "product") {
    const card = outcome instanceof Error || next === undefined ? undefined : shownCard(outcome, next.pathname);
    return <ProductPending card={card} />;
  }
  return (
    <>
      {pending === "bar" && <ProgressBar />}
      {outcome instanceof Error ? <RouteError error={outcome} onRetry={retry} /> : <PageContent page={outcome} />}
    </>
  );
}
