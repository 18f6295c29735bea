/** If a document is needed again within this time, loading it does not help. The time allows for a slow connection. */
const MOMENT_MS = 30_000;

let isLoading = false;

/**
 * Loads the document of the current address anew, for a page that cannot go on by itself. Returns whether it is
 * loading: not if it was loaded for the same reason a moment ago, or if the browser has no storage to remember that.
 */
export function loadDocumentOnce(): boolean {
  // A failure while the next document is on its way must not count as that document's failure.
  if (isLoading) return true;
  const { pathname, search } = window.location;
  if (!isFirstLoadOf(pathname + search)) return false;
  isLoading = true;
  // The visitor may stop the loading.
  setTimeout(() => {
    isLoading = false;
  }, MOMENT_MS);
  window.location.reload();
  return true;
}

/**
 * Whether the document of a path was not loaded for this reason a moment ago. Remembers that it is being loaded now.
 * Each path has an entry of its own, so that two documents cannot load each other for ever.
 */
export function isFirstLoadOf(path: string): boolean {
  const key = `vitrine-document ${path}`;
  const now = performance.timeOrigin + performance.now();
  try {
    if (Math.abs(now - Number(sessionStorage.getItem(key) ?? NaN)) < MOMENT_MS) return false;
    sessionStorage.setItem(key, String(now));
    return true;
  } catch {
    return false;
  }
}
