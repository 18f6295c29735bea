import type { ReactElement } from "react";
import { render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "./router";

/** Renders an element inside a real router, at an address. */
export function renderAt(path: string, element: ReactElement) {
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [path] });
  return { router, ...render(<RouterProvider router={router} />) };
}
