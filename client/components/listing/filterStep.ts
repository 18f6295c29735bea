/** Controls that change many times in one gesture: typing text, dragging the price. */
export type GradualControl = "q" | "max";

/** What the history keeps beside an address that the filter panel navigated to. */
export interface FilterStep {
  /** Counts the changes of one page view, so that an answer can be told from a later question. */
  serial: number;
  /** The gradual control that made the step; null for a choice made in one go. */
  control: GradualControl | null;
}

/** Reads the state of a history entry, which any navigation may have written. */
export function filterStep(state: unknown): FilterStep | null {
  if (typeof state !== "object" || state === null || !("serial" in state) || !("control" in state)) return null;
  const { serial, control } = state;
  if (typeof serial !== "number" || (control !== null && control !== "q" && control !== "max")) return null;
  return { serial, control };
}
