/** When, and at which address, a document was last loaded again; in the session's storage. */
const STORAGE_KEY = "vitrine-document";

/** A page that fails again within this time would fail for ever. The time is long because connections may be slow. */
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
  const now = performance.timeOrigin + performance.now();
  try {
    const [time, path] = (sessionStorage.getItem(STORAGE_KEY) ?? "").split(" ");
    if (path === pathname + search && Math.abs(now - Number(time)) < MOMENT_MS) return false;
    sessionStorage.setItem(STORAGE_KEY, `${now} ${pathname}${search}`);
  } catch {
    return false;
  }
  isLoading = true;
  window.location.reload();
  return true;
}
