import { createContext, useContext } from "react";
import type { Location } from "../router";

export const NextLocation = createContext<Location | undefined>(undefined);

/** Where the shopper is going while its page loads; no location while nothing is under way. */
export function useNavigation(): { location: Location | undefined } {
  return { location: useContext(NextLocation) };
}
