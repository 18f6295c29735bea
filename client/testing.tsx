import type { ReactElement } from "react";
import { render } from "@testing-library/react";
import type { Page } from "./contract.gen";
import { createPageRouter } from "./navigation/pageRouter";
import { Router } from "./router";

/** A page that shows nothing of its own. */
export function pageAt(path: string, part: Partial<Page> = {}): Page {
  return { path, canonical: path, robots: "noindex", status: 404, title: "Not Found | Vitrine", categories: [], content: { kind: "error", message: "" }, ...part };
}

/** Renders an element inside a real router, at an address. */
export function renderAt(path: string, element: ReactElement) {
  const router = createPageRouter(pageAt(path));
  const { location } = router.getState().visit;
  return {
    router,
    ...render(
      <Router location={location} navigator={router.navigator}>
        {element}
      </Router>,
    ),
  };
}
