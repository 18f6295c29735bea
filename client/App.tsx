import { useEffect, useLayoutEffect, useSyncExternalStore } from "react";
import { NavigationProvider } from "./navigation/NavigationProvider";
import type { PageRouter } from "./navigation/pageRouter";
import { Layout } from "./shell/Layout";

interface AppProps {
  router: PageRouter;
  /** Called in the browser once the page's elements are there, before the effects of any component. */
  onElements?: (() => void) | undefined;
  /** Called in the browser once the whole page answers to the visitor. */
  onReady?: () => void;
}

/** The root component, which server and browser render alike. */
export function App({ router, onElements, onReady }: AppProps) {
  const state = useSyncExternalStore(router.subscribe, router.getState, router.getState);
  useEffect(() => {
    onReady?.();
  }, [onReady]);
  return (
    <>
      <FirstEffect run={onElements} />
      <NavigationProvider router={router} state={state}>
        <Layout visit={state.visit} />
      </NavigationProvider>
    </>
  );
}

/** React runs the effects of a component before those of its later siblings. */
function FirstEffect({ run }: { run: (() => void) | undefined }) {
  useLayoutEffect(() => {
    run?.();
  }, [run]);
  return null;
}
