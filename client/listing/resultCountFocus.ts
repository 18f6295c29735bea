export const RESULT_COUNT_ID = "result-count";

/** Moves the focus to the result count, for controls that disappear with the filter they remove. */
export function focusResultCount(): void {
  // The router decides whether the window scrolls.
  document.getElementById(RESULT_COUNT_ID)?.focus({ preventScroll: true });
}
