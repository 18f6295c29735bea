import { flushSync } from "react-dom";

/** Changes the page inside a view transition, where the browser has them and motion is welcome. */
export function crossFade(update: () => void): void {
  const still = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (still || !("startViewTransition" in document)) {
    flushSync(update);
    return;
  }
  const transition = document.startViewTransition(() => {
    flushSync(update);
  });
  // A transition that is cut short by the next one is no failure: the page has changed all the same.
  transition.ready.catch(() => undefined);
}
