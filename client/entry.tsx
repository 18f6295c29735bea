import "./styles/tokens.css";
import "./styles/tints.css";
import "./styles/fonts.css";
import "./styles/fallbackFonts.css";
import "./styles/displayFont.css";
import "./styles/base.css";
import "./styles/controls.css";
import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "./App";
import type { Presses } from "./early/presses";
import { isPage, loadPage } from "./navigation/data";
import { isNodeMissing } from "./navigation/isNodeMissing";
import { loadDocumentOnce } from "./navigation/loadDocumentOnce";
import { offerDictionary } from "./navigation/offerDictionary";
import { createPageRouter } from "./navigation/pageRouter";
import { installServiceWorker } from "./navigation/serviceWorker";
import { keepServed } from "./servedTree";
import { loadTexts } from "./texts/loadTexts";
// Last, so that it overrides the styles of the components.
import "./styles/print.css";

// A control loads this bundle as soon as the visitor turns to it, perhaps before the whole document is here.
if (document.readyState === "loading") {
  await new Promise((resolve) => { document.addEventListener("DOMContentLoaded", resolve, { once: true }); });
}
const root = rootElement();
await loadTexts();
const inlined: unknown = JSON.parse(document.getElementById("page-data")?.textContent ?? "null");
const { pathname, search } = window.location;
const router = createPageRouter(isPage(inlined) ? inlined : await loadPage(pathname + search));

/**
 * Takes over the page that was loaded from this path and query; `early/clientLoader.ts` calls it. `repeatPresses`
 * repeats the presses from before React listened: each makes React first hydrate what it needs.
 */
export function start(repeatPresses: Presses["repeat"], path: string): void {
  router.start(path);
  const served = keepServed(root, router.shop.language);
  const app = (
    <App
      router={router}
      onElements={served.handOver}
      onReady={() => {
        served.release();
        router.followHistory();
        // Until now, a failing script made the document fall back to what works without JavaScript.
        document.documentElement.dataset.client = "ready";
        offerDictionary();
      }}
    />
  );
  if (root.hasChildNodes()) {
    // In slices, so that the browser can answer the visitor in between. A press during that time makes React
    // finish first, and then reaches its handler.
    startTransition(() => {
      hydrateRoot(root, app, {
        onUncaughtError,
        onRecoverableError: (error) => {
          // A translated page has other texts than React expects, and is made anew.
          if (!served.isTranslated()) reportError(error);
        },
      });
    });
  } else {
    // The host sent no markup, because rendering had failed.
    createRoot(root, { onUncaughtError }).render(app);
  }
  void repeatPresses(served.successor);
  installServiceWorker();
}

function onUncaughtError(error: unknown) {
  if (!isNodeMissing(error) || !loadDocumentOnce()) reportError(error);
}

function rootElement(): HTMLElement {
  const element = document.getElementById("root");
  if (element === null) throw new Error("Root element not found");
  return element;
}
