import { useEffect, useRef, useState } from "react";
import type { Categories } from "../contract.gen";
import { categoriesHref, pageHref } from "../navigation/addresses";
import { NavigationType, useLocation, useNavigate, useNavigationType } from "../navigation/router";
import { useFailedChange } from "../navigation/useFailedChange";
import { useNextLocation } from "../navigation/useNextLocation";
import { usePageRouter } from "../navigation/usePageRouter";
import { useThrottle } from "../ui/useThrottle";

const THROTTLE_MS = 100;

/** The state of the history entry that typing writes. */
const TYPING = "category filter";

/**
 * The text of the filter and a function to change it. If the page has all categories, only the address
 * changes; if they are divided into pages, the host filters them.
 */
export function useCategoryFilter(content: Categories) {
  const router = usePageRouter();
  const navigate = useNavigate();
  const location = useLocation();
  const navigationType = useNavigationType();
  const next = useNextLocation();
  const failed = useFailedChange();
  const throttle = useThrottle(THROTTLE_MS);
  const [typed, setTyped] = useState<string | null>(null);
  const [seenFailed, setSeenFailed] = useState(failed);
  const [shownContent, setShownContent] = useState(content);

  // A throttled task runs after the render that created it and needs the location of that moment.
  const nextPath = useRef(next?.pathname);
  useEffect(() => {
    nextPath.current = next?.pathname;
  }, [next]);

  if (shownContent !== content) {
    setShownContent(content);
    // The answer to what was typed must not replace what was typed since. Any other new content belongs to
    // another address, with a filter of its own.
    const isAnswer = navigationType !== NavigationType.Pop && location.state === TYPING;
    if (!isAnswer) setTyped(null);
  }

  // A text whose answer could not be loaded is given up; a later one is on its way.
  if (seenFailed !== failed) {
    setSeenFailed(failed);
    if (failed !== undefined) setTyped(null);
  }

  function change(text: string) {
    setTyped(text);
    const href = categoriesHref(text);
    if (content.pages === undefined) {
      router.rewriteAddress(href);
      return;
    }
    throttle(() => {
      // A throttled change must not cancel a navigation to another page.
      if (nextPath.current !== undefined && nextPath.current !== pageHref("/categories")) return;
      void navigate(href, { replace: true, preventScrollReset: true, state: TYPING });
    });
  }

  return { text: typed ?? content.query, change };
}
