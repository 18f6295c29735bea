import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";

/** Applies what the visitor entered into a field before the page was hydrated. React keeps it, but does not report it. */
export function useEntryBeforeHydration(
  field: RefObject<HTMLInputElement | HTMLSelectElement | null>,
  shown: string,
  apply: (value: string) => void,
): void {
  const applyEntry = useEffectEvent((value: string) => {
    if (value !== shown) apply(value);
  });
  useEffect(() => {
    if (field.current !== null) applyEntry(field.current.value);
  }, [field]);
}
