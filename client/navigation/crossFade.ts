import { flushSync } from "react-dom";
import { afterNextPaint } from "./afterNextPaint";

/** A transition takes two frames and a snapshot of the old page. After this time the page changes without one. */
const LONGEST_WAIT_MS = 500;

/**
 * Runs an update inside a view transition, unless the browser lacks them or motion is reduced. The
 * update is run exactly once, even when the browser's transition throws, rejects or never calls
 * back. The returned function runs it at once if it is still waiting.
 */
export function crossFade(update: () => void): () => void {
  const withoutMotion = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (withoutMotion || !("startViewTransition" in document)) {
    flushSync(update);
    return () => undefined;
  }
  let isWaiting = true;
  const timer = setTimeout(run, LONGEST_WAIT_MS);
  // Taking the snapshot would delay the frame that answers the visitor's press.
  const cancelStart = afterNextPaint(start);

  function start() {
    try {
      const { ready, updateCallbackDone, finished } = document.startViewTransition(run);
      // A transition is rejected when the next one interrupts it, or when it cannot be shown.
      Promise.all([ready, updateCallbackDone, finished]).catch(run);
    } catch {
      run();
    }
  }

  function run() {
    if (!isWaiting) return;
    isWaiting = false;
    cancelStart();
    clearTimeout(timer);
    flushSync(update);
  }

  return run;
}
