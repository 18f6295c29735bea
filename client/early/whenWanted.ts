import { CONTROLS } from "./presses";

/** The longest wait for idle time after the document has loaded, in milliseconds. */
const IDLE_WITHIN_MS = 1000;
/** How long to wait instead in Safari, which does not report idle time, in milliseconds. */
const WITHOUT_IDLE_MS = 200;
/** The longest wait after the document is parsed, in milliseconds: a picture may delay `load`. */
const LOAD_WITHIN_MS = 5000;

/**
 * Calls back once: when the visitor points at, focuses or uses a control, or goes back or forward within the document,
 * or else in idle time after `load`.
 *
 * Links need no client. A control that scrolls under a resting mouse does not count. To be called during parsing.
 */
export function whenWanted(callBack: () => void): void {
  const listeners = new AbortController();
  const { signal } = listeners;
  const once = () => {
    if (signal.aborted) return;
    listeners.abort();
    callBack();
  };
  const onControl = ({ target }: Event) => {
    if (target instanceof Element && target.closest(CONTROLS) !== null) once();
  };
  for (const type of ["pointerdown", "focusin", "click", "input"]) addEventListener(type, onControl, { signal, passive: true });
  addEventListener("popstate", once, { signal });
  addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerType === "mouse" && (event.movementX !== 0 || event.movementY !== 0)) onControl(event);
    },
    { signal, passive: true },
  );
  addEventListener(
    "load",
    () => {
      if ("requestIdleCallback" in window) requestIdleCallback(once, { timeout: IDLE_WITHIN_MS });
      else setTimeout(once, WITHOUT_IDLE_MS);
    },
    { signal },
  );
  addEventListener(
    "DOMContentLoaded",
    () => {
      // Without markup there is nothing to see until the client has drawn it.
      if (document.getElementById("root")?.firstElementChild === null) once();
      else setTimeout(once, LOAD_WITHIN_MS);
    },
    { signal },
  );
}
