/** Controls that change many times in one go: typing a text, dragging the price slider. */
export type ContinuousControl = "q" | "max";

/** The state that the filter panel stores in the history entries it creates. */
export interface FilterStep {
  /** Counts the changes of a page, so that an answer can be matched with the change it belongs to. */
  serial: number;
  /** The continuous control that made the step; null for any other choice. */
  control: ContinuousControl | null;
}

/** Reads the state of a history entry, which other code may have written. */
export function filterStep(state: unknown): FilterStep | null {
  if (typeof state !== "object" || state === null || !("serial" in state) || !("control" in state)) return null;
  const { serial, control } = state;
  if (typeof serial !== "number" || (control !== null && control !== "q" && control !== "max")) return null;
  return { serial, control };
}
