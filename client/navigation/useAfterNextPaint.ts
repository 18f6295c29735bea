import { useCallback, useEffect, useRef } from "react";
import { afterNextPaint } from "./afterNextPaint";

/** A function that runs tasks once the next frame is shown, unless the component is gone by then. */
export function useAfterNextPaint(): (task: () => void) => void {
  const waiting = useRef(new Set<() => void>());

  useEffect(() => {
    const { current } = waiting;
    return () => {
      for (const cancel of current) cancel();
    };
  }, []);

  return useCallback((task) => {
    const cancel = afterNextPaint(() => {
      waiting.current.delete(cancel);
      task();
    });
    waiting.current.add(cancel);
  }, []);
}
