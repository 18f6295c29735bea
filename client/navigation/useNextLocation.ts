import { createContext, useContext } from "react";
import type { Location } from "./router";

export const NextLocationContext = createContext<Location | undefined>(undefined);

/** The location whose page is being loaded; undefined while no page is. */
export function useNextLocation(): Location | undefined {
  return useContext(NextLocationContext);
}
