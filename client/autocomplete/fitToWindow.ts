/** The space left free below the list, in pixels. */
const DISTANCE = 8;

/** The height of two options, in pixels, which the list keeps however low the window is. */
const LEAST = 96;

/**
 * Limits the list to the visible part of the window: an on-screen keyboard covers the rest, which style sheets cannot
 * know. `onLeave` is called when the visitor goes back or forward. Returns a function that ends this.
 */
export function fitToWindow(list: HTMLElement, onLeave: () => void): () => void {
  const listeners = new AbortController();
  const options = { signal: listeners.signal, passive: true };
  const fit = () => {
    const { offsetTop, height } = window.visualViewport ?? { offsetTop: 0, height: window.innerHeight };
    const room = offsetTop + height - list.getBoundingClientRect().top - DISTANCE;
    list.style.maxBlockSize = `${Math.max(LEAST, Math.floor(room))}px`;
  };
  fit();
  window.visualViewport?.addEventListener("resize", fit, options);
  window.visualViewport?.addEventListener("scroll", fit, options);
  // The header moves at the top of the page.
  window.addEventListener("scroll", fit, options);
  window.addEventListener("popstate", onLeave, options);
  return () => {
    listeners.abort();
  };
}
