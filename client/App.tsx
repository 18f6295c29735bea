import { useSyncExternalStore } from "react";
import { Layout } from "./components/Layout";
import type { PageRouter } from "./navigation/pageRouter";
import { NextLocation } from "./navigation/useNavigation";
import { Router } from "./router";

/** The whole client: the layout at the router's place. Server and browser render this. */
export function App({ router }: { router: PageRouter }) {
  const { visit, next } = useSyncExternalStore(router.subscribe, router.getState, router.getState);
  return (
    <NextLocation value={next}>
      <Router location={visit.location} navigationType={visit.type} navigator={router.navigator}>
        <Layout visit={visit} />
      </Router>
    </NextLocation>
  );
}
