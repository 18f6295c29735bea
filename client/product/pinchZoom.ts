import { useSyncExternalStore } from "react";

/** Whether the page is zoomed by a pinch. A drag then pans the page and is not a swipe. */
function isPinchZoomed(): boolean {
  return (window.visualViewport?.scale ?? 1) > 1.05;
}

export function useIsPinchZoomed(): boolean {
  return useSyncExternalStore(onResize, isPinchZoomed, () => false);
}

function onResize(listener: () => void): () => void {
  window.visualViewport?.addEventListener("resize", listener);
  return () => {
    window.visualViewport?.removeEventListener("resize", listener);
  };
}
