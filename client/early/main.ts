// The inline script of every document; it runs before the first paint, and loads the client when it is wanted.
import { showStoredTheme } from "../shell/theme";
import { clientLoader } from "./clientLoader";
import type { ClientModule } from "./clientLoader";
import { whenWanted } from "./whenWanted";

/** The address of the client's bundle; the build fills it in. */
declare const CLIENT_ADDRESS: string;
/** The address of the bundle of `autocomplete/`. */
declare const AUTOCOMPLETE_ADDRESS: string;

/** What that bundle exports. */
interface AutocompleteModule {
  attach: (input: HTMLInputElement) => void;
}

const { dataset } = document.documentElement;
// The style sheet hides or shows what depends on the client.
dataset.client = "awaited";
// The client may fail while it takes over. Errors of browser extensions arrive here, too, and do not count.
addEventListener("error", ({ filename }) => {
  if (filename.endsWith(CLIENT_ADDRESS) && dataset.client === "awaited") delete dataset.client;
});
showStoredTheme();
// A browser may have stopped the client's load when the visitor left the page, and now bring the page back.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && dataset.client === undefined) location.reload();
});
// eslint-disable-next-line no-restricted-syntax -- This import is what the script is for.
const load = (address: string): Promise<unknown> => import(address);
whenWanted(clientLoader(CLIENT_ADDRESS, load as (address: string) => Promise<ClientModule>));
// Suggestions start when the search field gets the focus. Without a connection there are none.
addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.matches(".SearchBox-input"))) return;
  (load(AUTOCOMPLETE_ADDRESS) as Promise<AutocompleteModule>).then(({ attach }) => { attach(target); }, () => undefined);
});
