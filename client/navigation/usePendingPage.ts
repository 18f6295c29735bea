import { useEffect, useState } from "react";
import { useLocation } from "./router";
import { pendingOf } from "./routes";
import type { Pending } from "./routes";
import { useNextLocation } from "./useNextLocation";

/** Prefetched pages arrive sooner; a placeholder would only flash. */
const DELAY_MS = 120;

/** The placeholder for the page that is loading; null while none is, and for the first moments. */
export function usePendingPage(): Pending | null {
  const { pathname } = useLocation();
  const next = useNextLocation();
  // When only the query changes, the page stays and shows its own progress.
  const nextPage = next !== undefined && next.pathname !== pathname ? next : undefined;
  const isDelayed = useIsDelayed(nextPage?.key);
  return nextPage !== undefined && isDelayed ? pendingOf(nextPage.pathname) : null;
}

/** Whether the same history entry has been loading for longer than the delay. */
function useIsDelayed(key: string | undefined): boolean {
  const [delayedKey, setDelayedKey] = useState<string>();
  useEffect(() => {
    if (key === undefined) return;
    const timer = setTimeout(() => {
      setDelayedKey(key);
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      // The same entry may load again later, and then has the same delay.
      setDelayedKey(undefined);
    };
  }, [key]);
  return key !== undefined && key === delayedKey;
}
