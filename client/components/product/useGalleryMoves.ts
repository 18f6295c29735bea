import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";
import { isEnlarged } from "./enlargement";

const SWIPE_PX = 40;

/** Moves between pictures with the arrow keys and with sideways swipes, anywhere inside the element. */
export function useGalleryMoves(
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
        // A second finger makes a pinch, and a mouse drags nothing here.
        start = event.isPrimary && event.pointerType !== "mouse" ? { x: event.clientX, y: event.clientY } : null;
      },
      listeners,
    );
    element.addEventListener(
      "pointerup",
      (event) => {
        if (start === null || !event.isPrimary) return;
        const across = event.clientX - start.x;
        const down = event.clientY - start.y;
        start = null;
        const isSwipe = Math.abs(across) > SWIPE_PX && Math.abs(across) > 2 * Math.abs(down);
        if (isSwipe && !isEnlarged()) step(across < 0 ? 1 : -1);
      },
      listeners,
    );
    element.addEventListener("pointercancel", () => (start = null), listeners);
    return () => {
      listeners.abort();
    };
  }, [container, enabled]);
}
