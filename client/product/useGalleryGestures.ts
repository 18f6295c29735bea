import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";
import { isPinchZoomed } from "./pinchZoom";

const SWIPE_PX = 40;

/** Moves between pictures with arrow keys and horizontal swipes inside the container. */
export function useGalleryGestures(
  container: RefObject<HTMLElement | null>,
  enabled: boolean,
  onStep: (by: 1 | -1) => void,
): void {
  const step = useEffectEvent(onStep);

  useEffect(() => {
    const element = container.current;
    if (element === null || !enabled) return;
    const listeners = new AbortController();
    let start: { x: number; y: number } | null = null;

    element.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        step(event.key === "ArrowRight" ? 1 : -1);
      },
      listeners,
    );
    element.addEventListener(
      "pointerdown",
      (event) => {
        // A second finger is a pinch, and a mouse does not swipe.
        start = event.isPrimary && event.pointerType !== "mouse" ? { x: event.clientX, y: event.clientY } : null;
      },
      listeners,
    );
    element.addEventListener(
      "pointerup",
      (event) => {
        if (start === null || !event.isPrimary) return;
        const dx = event.clientX - start.x;
        const dy = event.clientY - start.y;
        start = null;
        const isSwipe = Math.abs(dx) > SWIPE_PX && Math.abs(dx) > 2 * Math.abs(dy);
        if (isSwipe && !isPinchZoomed()) step(dx < 0 ? 1 : -1);
      },
      listeners,
    );
    element.addEventListener("pointercancel", () => (start = null), listeners);
    return () => {
      listeners.abort();
    };
  }, [container, enabled]);
}
