import { rememberPresses } from "./presses";
import type { Presses } from "./presses";

/** What the client's bundle exports. */
export interface ClientModule {
  /**
   * Takes over the page that was loaded from this path and query. Repeats earlier presses once React listens; for each,
   * React first hydrates what it needs.
   */
  start: (repeatPresses: Presses["repeat"], path: string) => void;
}

/** Session storage has this key from the reload of a page until a client has started. */
const LOADED_AGAIN = "vitrine-loaded-again";

/** How long presses wait while the client loads, in milliseconds. */
const COMES_WITHIN_MS = 10_000;

/**
 * Remembers presses from now on, and returns a function that loads the client and lets it repeat them.
 *
 * If the client cannot be loaded or started, or takes too long, the page falls back to what works without JavaScript,
 * and the presses are repeated without a client. A client that comes late still takes over. If the host no longer has
 * this client, the page is reloaded, but only once until a client has started.
 */
export function clientLoader(address: string, load: (address: string) => Promise<ClientModule>): () => void {
  const presses = rememberPresses();
  // The visitor may go back or forward until the client is here.
  const path = location.pathname + location.search;

  async function start() {
    const limit = setTimeout(doWithoutClient, COMES_WITHIN_MS);
    const client = await load(address).finally(() => {
      clearTimeout(limit);
    });
    // In a new task, so that the browser can handle input after running the script; but remembered presses must not wait.
    if (!presses.any) await new Promise((resolve) => setTimeout(resolve));
    client.start(presses.repeat, path);
    storeLoadedAgain(false);
  }

  async function fallBack(cause: unknown) {
    if ((await isGone(address)) && storeLoadedAgain(true)) {
      location.reload();
      return;
    }
    doWithoutClient();
    reportError(cause);
  }

  function doWithoutClient() {
    delete document.documentElement.dataset.client;
    void presses.repeat();
  }

  return () => void start().catch(fallBack);
}

/** How long the host may take to say whether it has the file. Until then, presses wait. */
const ANSWER_WITHIN_MS = 3000;

/** Whether the host has no such file. It has those of its own build only. */
async function isGone(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { method: "HEAD", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })).status === 404;
  } catch {
    return false;
  }
}

/** Sets or removes the key. Returns whether that changed anything, which is false if there is no storage. */
function storeLoadedAgain(isSet: boolean): boolean {
  try {
    if ((sessionStorage.getItem(LOADED_AGAIN) !== null) === isSet) return false;
    if (isSet) sessionStorage.setItem(LOADED_AGAIN, "");
    else sessionStorage.removeItem(LOADED_AGAIN);
    return true;
  } catch {
    return false;
  }
}
