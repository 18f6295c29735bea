import type { ReactElement } from "react";
import { render } from "@testing-library/react";
import type { Page } from "../contract.gen";
import { NavigationProvider } from "../navigation/NavigationProvider";
import { createPageRouter } from "../navigation/pageRouter";
import { shop } from "./fixtures";

/** A page without content, for tests that only need an address. */
export function pageAt(path: string, part: Partial<Page> = {}): Page {
  return { path, canonical: path, robots: "noindex", status: 404, shop: shop(), title: "Not Found | Vitrine", categories: [], content: { kind: "error", message: "" }, ...part };
}

/** Renders an element inside a real router, at an address. The page there has this `part`. */
export function renderAt(path: string, element: ReactElement, part: Partial<Page> = {}) {
  const router = createPageRouter(pageAt(path, part));
  return {
    router,
    ...render(
      <NavigationProvider router={router} state={router.getState()}>
        {element}
      </NavigationProvider>,
    ),
  };
}
