/** The quantity of an entered text, at least the minimum. A text that is not a number counts as 0. */
export function quantityFrom(entry: string, minimum: number): number {
  const entered = Number(entry);
  return Math.max(minimum, Number.isFinite(entered) ? Math.trunc(entered) : 0);
}
