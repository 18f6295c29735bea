import { createContext, useContext } from "react";
import type { PageRouter } from "./pageRouter";

export const PageRouterContext = createContext<PageRouter | null>(null);

export function usePageRouter(): PageRouter {
  const router = useContext(PageRouterContext);
  if (router === null) throw new Error("There is no NavigationProvider");
  return router;
}
