import { useEffect, useRef, useState } from "react";
import type { Filters, Listing } from "../../contract.gen";
import { listingHref } from "../../filterUrl";
import { NavigationType, useLocation, useNavigate, useNavigation, useNavigationType } from "../../router";
import { filterStep } from "./filterStep";
import type { FilterStep, GradualControl } from "./filterStep";
import { useThrottle } from "./useThrottle";

export type ChangeFilters = (change: Partial<Filters>, control?: GradualControl) => void;

const REQUEST_EVERY_MS = 100;

interface Draft {
  serial: number;
  filters: Filters;
}

/**
 * The filters as the shopper sees them, and the way to change them. A change shows at once and
 * travels through the address; the listing that answers it then takes over again.
 */
export function useListingFilters(listing: Listing): { filters: Filters; change: ChangeFilters } {
  const navigate = useNavigate();
  const location = useLocation();
  const navigation = useNavigation();
  const navigationType = useNavigationType();
  const throttle = useThrottle(REQUEST_EVERY_MS);
  const lastSerial = useRef(0);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [seenKey, setSeenKey] = useState(location.key);

  // A throttled request starts later than the render that asked for it, from where the router is then.
  const router = useRef({ location, navigation });
  useEffect(() => {
    router.current = { location, navigation };
  }, [location, navigation]);

  if (seenKey !== location.key) {
    setSeenKey(location.key);
    const step = filterStep(location.state);
    const isOlderAnswer = navigationType !== NavigationType.Pop && step !== null && step.serial !== draft?.serial;
    if (!isOlderAnswer) setDraft(null);
  }
  const filters = draft?.filters ?? listing.filters;

  function send(next: Filters, step: FilterStep) {
    // One gesture is one step in the history: its first request adds an entry, the rest replace it.
    const replace = step.control !== null && filterStep(router.current.location.state)?.control === step.control;
    void navigate(listingHref(listing.basePath, next), { replace, preventScrollReset: true, state: step });
  }

  function change(part: Partial<Filters>, control?: GradualControl) {
    const next = { ...filters, ...part };
    const step: FilterStep = { serial: ++lastSerial.current, control: control ?? null };
    setDraft({ serial: step.serial, filters: next });
    throttle(() => {
      const { location: here, navigation: going } = router.current;
      // The shopper already left for another page; a late filter must not call them back.
      if (control !== undefined && going.location !== undefined && going.location.pathname !== here.pathname) return;
      send(next, step);
    }, control === undefined);
  }

  return { filters, change };
}
