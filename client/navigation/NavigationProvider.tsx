import type { ReactNode } from "react";
import type { PageRouter, PageRouterState } from "./pageRouter";
import { Router } from "./router";
import { FailedChangeContext } from "./useFailedChange";
import { NextLocationContext } from "./useNextLocation";
import { PageRouterContext } from "./usePageRouter";

interface NavigationProviderProps {
  router: PageRouter;
  state: PageRouterState;
  children: ReactNode;
}

/** Provides the page router, the current location and the next one to links and hooks. */
export function NavigationProvider({ router, state: { visit, next, failed }, children }: NavigationProviderProps) {
  return (
    <PageRouterContext value={router}>
      <NextLocationContext value={next}>
        <FailedChangeContext value={failed}>
          <Router location={visit.location} navigationType={visit.type} navigator={router.navigator}>
            {children}
          </Router>
        </FailedChangeContext>
      </NextLocationContext>
    </PageRouterContext>
  );
}
