import { useEffect, useState } from "react";
import { useLocation, useNavigation } from "../router";
import { routeOf } from "../routes";
import type { Pending } from "../routes";

/** Prefetched pages arrive sooner than this; a stand-in would only flash. */
const PATIENCE_MS = 120;

/** What to show for the page that is being loaded; null while nothing is, or not for long enough. */
export function usePendingPage(): Pending | null {
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  // A new query of the same page keeps the page: it shows its own progress.
  const awaited = next !== undefined && next.pathname !== pathname ? next : undefined;
  const late = useLate(awaited?.key);
  return awaited !== undefined && late ? (routeOf(awaited.pathname)?.pending ?? "bar") : null;
}

/** Whether the same thing has been awaited for a while. */
function useLate(key: string | undefined): boolean {
  const [lateKey, setLateKey] = useState<string>();
  useEffect(() => {
    if (key === undefined) return;
    const timer = setTimeout(() => {
      setLateKey(key);
    }, PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      // The same entry of the history may be awaited again, and waits its time again.
      setLateKey(undefined);
    };
  }, [key]);
  return key !== undefined && key === lateKey;
}
