import { useLayoutEffect } from "react";

/**
 * Keeps an attribute on the root element while `isSet`. Style sheets could ask `:root:has(…)` instead, but
 * browsers then compute styles anew whenever anything is checked, focused or inserted.
 */
export function useRootAttribute(name: `data-${string}`, isSet: boolean): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    if (!isSet) return;
    root.setAttribute(name, "");
    return () => {
      root.removeAttribute(name);
    };
  }, [name, isSet]);
}
