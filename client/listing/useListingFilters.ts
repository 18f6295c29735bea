import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { Filters, Listing } from "../contract.gen";
import { listingHref } from "../navigation/filterUrl";
import { NavigationType, useLocation, useNavigate, useNavigationType } from "../navigation/router";
import { useAfterNextPaint } from "../navigation/useAfterNextPaint";
import { useFailedChange } from "../navigation/useFailedChange";
import { usePageRouter } from "../navigation/usePageRouter";
import { filterStep } from "./filterStep";
import type { ContinuousControl, FilterStep } from "./filterStep";
import { useThrottle } from "../ui/useThrottle";

export type ChangeFilters = (change: Filters, control?: ContinuousControl) => void;

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
  const { getState } = usePageRouter();
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

  // The filters that a change starts from. A throttled change is sent after the render that created it.
  const latest = useRef(filters);
  useLayoutEffect(() => {
    latest.current = filters;
  }, [filters]);

  // The same function in every render: the controls are many, and need not render again with the page.
  const change = useCallback(
    (part: Filters, control?: ContinuousControl) => {
      const changed = { ...latest.current, ...part };
      const step: FilterStep = { serial: ++lastSerial.current, control: control ?? null };
      latest.current = changed;
      setDraft({ serial: step.serial, filters: changed });
      const before = getState().next;
      const send = () => {
        const { visit, next } = getState();
        const { location: current } = visit;
        // This is sent late: a page that the visitor has asked for since comes first. Dragging or typing
        // never gives up a page that is loading.
        const isAskedLast = next === before && control === undefined;
        if (next !== undefined && next.pathname !== current.pathname && !isAskedLast) return;
        // A drag or a typed text is one history entry: its first request adds it, the others replace it.
        const previous = filterStep(current.state);
        const replace = step.control !== null && previous?.control === step.control;
        void navigate(listingHref(basePath, changed), { replace, preventScrollReset: true, state: step });
      };
      if (control !== undefined) throttle(send);
      // The control shows the choice first: the request and the busy page would delay that frame.
      else throttle(() => { afterNextPaint(send); }, true);
    },
    [afterNextPaint, basePath, getState, navigate, throttle],
  );

  return { filters, change };
}
