import { createContext, useContext } from "react";
import type { Navigation } from "./pageRouter";

export const FailedChangeContext = createContext<Navigation | undefined>(undefined);

/** The change of the current page that failed; undefined when the last one did not. */
export function useFailedChange(): Navigation | undefined {
  return useContext(FailedChangeContext);
}
