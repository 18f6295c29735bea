import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import { createRoot, hydrateRoot } from "react-dom/client";
import { isPage } from "./data";
import { hydrationData } from "./hydration";
import { createBrowserRouter, RouterProvider } from "./router";
import { routes } from "./routes";

const root = document.getElementById("root");
if (root === null) throw new Error("Root element not found");

const inlined: unknown = JSON.parse(document.getElementById("page-data")?.textContent ?? "null");
const { pathname, search } = window.location;
const router = createBrowserRouter(routes, {
  // Without inlined data the router loads the page like any later one.
  ...(isPage(inlined) && { hydrationData: hydrationData(inlined, pathname + search) }),
});
const app = <RouterProvider router={router} />;

if (root.hasChildNodes()) {
  hydrateRoot(root, app);
} else {
  // The host sent the data without markup, because rendering had failed.
  createRoot(root).render(app);
}
