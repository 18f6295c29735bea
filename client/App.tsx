import { useSyncExternalStore } from "react";
import { NavigationProvider } from "./navigation/NavigationProvider";
import type { PageRouter } from "./navigation/pageRouter";
import { Layout } from "./shell/Layout";

/** The root component, which server and browser render alike. */
export function App({ router }: { router: PageRouter }) {
  const state = useSyncExternalStore(router.subscribe, router.getState, router.getState);
  return (
    <NavigationProvider router={router} state={state}>
      <Layout visit={state.visit} />
    </NavigationProvider>
  );
}
