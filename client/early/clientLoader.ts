import { rememberPresses } from "./presses";
import type { Presses } from "./presses";

/** What the client's bundle exports. */
export interface ClientModule {
  /** Takes over the page. Earlier presses are repeated once React listens, which then handles them at once. */
  start: (repeatPresses: Presses["repeat"]) => void;
}

/** The key that session storage has while a page that was loaded again awaits its client. */
const LOADED_AGAIN = "vitrine-loaded-again";

/** The longest that presses wait for the client, in milliseconds. */
const COMES_WITHIN_MS = 10_000;

/**
 * Remembers presses from now on, and returns a function that loads the client and lets it repeat them.
 *
 * If the client cannot be loaded or started, or takes too long, the page falls back to what works without JavaScript,
 * and presses do what they do there. A client that comes late takes over all the same. A page whose build is gone is
 * loaded again, but only once.
 */
export function clientLoader(address: string, load: (address: string) => Promise<ClientModule>): () => void {
  const presses = rememberPresses();

  async function start() {
    const limit = setTimeout(doWithoutClient, COMES_WITHIN_MS);
    const client = await load(address).finally(() => {
      clearTimeout(limit);
    });
    // In a task of its own, so that the browser can answer the visitor after running the script. Presses must not wait.
    if (!presses.any) await new Promise((resolve) => setTimeout(resolve));
    client.start(presses.repeat);
    storeLoadedAgain(false);
  }

  async function fall(cause: unknown) {
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

  return () => void start().catch(fall);
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

/** Sets or removes the key, and returns whether that changed anything: not without storage. */
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
