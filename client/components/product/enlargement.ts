import { useSyncExternalStore } from "react";

/** Whether two fingers have enlarged the page; one finger then moves it, and swipes nothing. */
export function isEnlarged(): boolean {
  return (window.visualViewport?.scale ?? 1) > 1.05;
}

export function useEnlarged(): boolean {
  return useSyncExternalStore(onResize, isEnlarged, () => false);
}

function onResize(listener: () => void): () => void {
  window.visualViewport?.addEventListener("resize", listener);
  return () => {
    window.visualViewport?.removeEventListener("resize", listener);
  };
}
