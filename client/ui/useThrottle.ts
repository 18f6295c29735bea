import { useCallback, useEffect, useRef } from "react";

type Throttle = (task: () => void, atOnce?: boolean) => void;

/**
 * Runs the first task at once, and then at most one per delay, the latest. A task passed with
 * `atOnce` runs immediately and replaces a waiting one.
 */
export function useThrottle(delayMs: number): Throttle {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<(() => void) | null>(null);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );

  return useCallback(
    (task, atOnce = false) => {
      function run(next: () => void) {
        waiting.current = null;
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
          timer.current = undefined;
          if (waiting.current !== null) run(waiting.current);
        }, delayMs);
        next();
      }
      if (atOnce || timer.current === undefined) run(task);
      else waiting.current = task;
    },
    [delayMs],
  );
}
