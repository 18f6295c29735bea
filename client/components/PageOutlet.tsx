import { useEffect } from "react";
import { Outlet } from "../router";
import type { Pending } from "../routeTable";
import { ListingSkeleton } from "./listing/ListingSkeleton";
import { ProductSpinner } from "./product/ProductSpinner";
import { ProgressBar } from "./ProgressBar";

/** The page, or what stands in for the one that is on its way. */
export function PageOutlet({ pending }: { pending: Pending | null }) {
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
      <Outlet />
    </>
  );
}
