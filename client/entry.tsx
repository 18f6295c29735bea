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
import { isPage, loadPage } from "./navigation/data";
import { createPageRouter } from "./navigation/pageRouter";
import { installServiceWorker } from "./navigation/serviceWorker";
// Last, so that it overrides the styles of the components.
import "./styles/print.css";

// The visitor may turn to a control before the whole document is here, and an import does not wait for that.
if (document.readyState === "loading") {
  await new Promise((resolve) => { document.addEventListener("DOMContentLoaded", resolve, { once: true }); });
}
const root = rootElement();
const inlined: unknown = JSON.parse(document.getElementById("page-data")?.textContent ?? "null");
const { pathname, search } = window.location;
const router = createPageRouter(isPage(inlined) ? inlined : await loadPage(pathname + search));

/**
 * Takes over the page; `early/clientLoader.ts` calls it. `repeatPresses` repeats what was pressed before React
 * listened: each press makes React hydrate what it needs first.
 */
export function start(repeatPresses: () => Promise<void>): void {
  router.start();
  if (root.hasChildNodes()) {
    // In slices, so that the browser can answer the visitor in between. A press during that time makes React
    // finish first, and then reaches its handler.
    startTransition(() => {
      hydrateRoot(root, <App router={router} onReady={takeOver} />);
    });
  } else {
    // The host sent no markup, because rendering had failed.
    createRoot(root).render(<App router={router} onReady={takeOver} />);
  }
  void repeatPresses();
  installServiceWorker();
}

/** Until now a failing script made the document fall back to its controls for pages without JavaScript. */
function takeOver() {
  document.documentElement.dataset.client = "ready";
}

function rootElement(): HTMLElement {
  const element = document.getElementById("root");
  if (element === null) throw new Error("Root element not found");
  return element;
}
