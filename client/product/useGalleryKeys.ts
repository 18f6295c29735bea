import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";

/** Moves between pictures with the arrow keys inside the container, and ends the zoom with Escape anywhere. */
export function useGalleryKeys(
  container: RefObject<HTMLElement | null>,
  onStep: (by: 1 | -1) => void,
  onEscape: () => void,
): void {
  const step = useEffectEvent(onStep);
  const escape = useEffectEvent(onEscape);

  useEffect(() => {
    const listening = new AbortController();
    container.current?.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        // In a language that is written from right to left, the next picture is on the left.
        step((event.key === "ArrowRight") === (document.dir !== "rtl") ? 1 : -1);
      },
      listening,
    );
    document.addEventListener(
      "keydown",
      ({ key }) => {
        if (key === "Escape") escape();
      },
      listening,
    );
    return () => {
      listening.abort();
    };
  }, [container]);
}
