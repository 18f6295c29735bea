/** The quantity that an entry means: what is no number counts as 0, and nothing goes below the minimum. */
export function quantityFrom(entry: string, minimum: number): number {
  const entered = Number(entry);
  return Math.max(minimum, Number.isFinite(entered) ? Math.trunc(entered) : 0);
}
