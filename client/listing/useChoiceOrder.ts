import { useState } from "react";
import type { FocusEvent, PointerEvent } from "react";
import type { Choice } from "../contract.gen";

/**
 * The choices in the order in which they are shown: chosen ones first, and those without products last. A scale keeps its
 * order. While the pointer or the focus is among them, they stay where they are. The handlers belong to the element around
 * them.
 */
export function useChoiceOrder(choices: readonly Choice[], chosen: readonly string[], isScale: boolean) {
  const [kept, setKept] = useState<readonly string[]>();
  const rank = ({ value, count }: Choice) => {
    const at = kept?.indexOf(value) ?? -1;
    if (kept !== undefined) return at === -1 ? kept.length : at;
    return isScale ? 0 : chosen.includes(value) ? 0 : count > 0 ? 1 : 2;
  };
  const ordered = [...choices].sort((one, other) => rank(one) - rank(other));

  function keep() {
    setKept((before) => before ?? ordered.map(({ value }) => value));
  }

  function release({ currentTarget, relatedTarget }: FocusEvent | PointerEvent) {
    const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
    // The other of the two may still be there.
    if (!isInside && !currentTarget.matches(":hover, :focus-within")) setKept(undefined);
  }

  return { ordered, handlers: { onPointerEnter: keep, onPointerLeave: release, onFocus: keep, onBlur: release } };
}
