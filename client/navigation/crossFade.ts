import { flushSync } from "react-dom";

/** Runs an update inside a view transition, unless the browser lacks them or motion is reduced. */
export function crossFade(update: () => void): void {
  const withoutMotion = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (withoutMotion || !("startViewTransition" in document)) {
    flushSync(update);
    return;
  }
  const transition = document.startViewTransition(() => {
    flushSync(update);
  });
  // A transition is rejected when the next one interrupts it. The page has been updated all the same.
  transition.ready.catch(() => undefined);
}
