import type { ReactNode } from "react";
import type { PageRouter, PageRouterState } from "./pageRouter";
import { VisitContext } from "./router";
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
          <VisitContext value={visit}>{children}</VisitContext>
        </FailedChangeContext>
      </NextLocationContext>
    </PageRouterContext>
  );
}
