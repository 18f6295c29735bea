import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";

/** Applies what the visitor entered into a field before the page was hydrated, which React keeps and says nothing of. */
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
