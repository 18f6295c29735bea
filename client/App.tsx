import { useEffect, useSyncExternalStore } from "react";
import { NavigationProvider } from "./navigation/NavigationProvider";
import type { PageRouter } from "./navigation/pageRouter";
import { Layout } from "./shell/Layout";

interface AppProps {
  router: PageRouter;
  /** Called in the browser once the whole page answers to the visitor. */
  onReady?: () => void;
}

/** The root component, which server and browser render alike. */
export function App({ router, onReady }: AppProps) {
  const state = useSyncExternalStore(router.subscribe, router.getState, router.getState);
  useEffect(() => {
    onReady?.();
  }, [onReady]);
  return (
    <NavigationProvider router={router} state={state}>
      <Layout visit={state.visit} />
    </NavigationProvider>
  );
}
