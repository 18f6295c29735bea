import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { Filters, Listing } from "../contract.gen";
import { listingHref } from "../navigation/filterUrl";
import { NavigationType, useLocation, useNavigate, useNavigationType } from "../navigation/router";
import { useAfterNextPaint } from "../navigation/useAfterNextPaint";
import { useFailedChange } from "../navigation/useFailedChange";
import { useNextLocation } from "../navigation/useNextLocation";
import { filterStep } from "./filterStep";
import type { ContinuousControl, FilterStep } from "./filterStep";
import { useThrottle } from "../ui/useThrottle";

export type ChangeFilters = (change: Partial<Filters>, control?: ContinuousControl) => void;

const THROTTLE_MS = 100;

/** Filters that the visitor has chosen and the host has not answered yet. */
interface Draft {
  serial: number;
  filters: Filters;
}

/**
 * The current filters and a function to change them. A change is shown at once and navigates to
 * the address of the new filters; the listing that is loaded from there replaces the draft. When it
 * cannot be loaded, the draft is given up.
 */
export function useListingFilters(listing: Listing): { filters: Filters; change: ChangeFilters } {
  const navigate = useNavigate();
  const location = useLocation();
  const next = useNextLocation();
  const failed = useFailedChange();
  const navigationType = useNavigationType();
  const throttle = useThrottle(THROTTLE_MS);
  const afterNextPaint = useAfterNextPaint();
  const lastSerial = useRef(0);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [seenFailed, setSeenFailed] = useState(failed);
  const [seenKey, setSeenKey] = useState(location.key);

  if (seenKey !== location.key) {
    setSeenKey(location.key);
    const step = filterStep(location.state);
    const isOlderAnswer = navigationType !== NavigationType.Pop && step !== null && step.serial !== draft?.serial;
    if (!isOlderAnswer) setDraft(null);
  }

  if (seenFailed !== failed) {
    setSeenFailed(failed);
    const step = failed && filterStep(failed.to.state);
    // The controls go back to what the listing shows, unless the visitor has chosen something else meanwhile.
    if (step !== undefined && (step === null || step.serial === draft?.serial)) setDraft(null);
  }

  const filters = draft?.filters ?? listing.filters;
  const { basePath } = listing;

  // What a change starts from. A throttled one is sent after the render that created it.
  const latest = useRef({ location, next, filters });
  useLayoutEffect(() => {
    latest.current = { location, next, filters };
  }, [location, next, filters]);

  // The same function in every render: the controls are many, and need not render again with the page.
  const change = useCallback(
    (part: Partial<Filters>, control?: ContinuousControl) => {
      const changed = { ...latest.current.filters, ...part };
      const step: FilterStep = { serial: ++lastSerial.current, control: control ?? null };
      latest.current.filters = changed;
      setDraft({ serial: step.serial, filters: changed });
      const send = () => {
        const { location: current, next: pending } = latest.current;
        // It is sent late, and must not cancel a navigation to another page.
        if (pending !== undefined && pending.pathname !== current.pathname) return;
        // A drag or a typed text is one history entry: its first request adds it, the others replace it.
        const previous = filterStep(current.state);
        const replace = step.control !== null && previous?.control === step.control;
        void navigate(listingHref(basePath, changed), { replace, preventScrollReset: true, state: step });
      };
      // The control shows the choice first: the request and the busy page would delay that frame.
      throttle(() => {
        afterNextPaint(send);
      }, control === undefined);
    },
    [afterNextPaint, basePath, navigate, throttle],
  );

  return { filters, change };
}
