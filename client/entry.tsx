import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "./App";
import { isPage, loadPage } from "./data";
import { createPageRouter } from "./navigation/pageRouter";
// Last, so that it has the last word over the components' own styles.
import "./styles/print.css";

const root = document.getElementById("root");
if (root === null) throw new Error("Root element not found");

const inlined: unknown = JSON.parse(document.getElementById("page-data")?.textContent ?? "null");
const { pathname, search } = window.location;
const router = createPageRouter(isPage(inlined) ? inlined : await loadPage(pathname + search));
router.start();
// From here on a failure is the client's own to handle; the page no longer does without it.
document.documentElement.dataset.client = "ready";

if (root.hasChildNodes()) {
  hydrateRoot(root, <App router={router} />);
} else {
  // The host sent the data without markup, because rendering had failed.
  createRoot(root).render(<App router={router} />);
}
