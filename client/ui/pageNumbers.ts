/** The page numbers to show: the first, the last, and those around the current one. Null is a gap. */
export function pageNumbers(current: number, last: number): (number | null)[] {
  const shown = new Set([1, current - 1, current, current + 1, last].filter((page) => page >= 1 && page <= last));
  // A gap of a single page would take as much room as its number.
  for (const edge of [2, last - 1]) {
    if (edge >= 1 && edge <= last && Math.abs(edge - current) === 2) shown.add(edge);
  }
  const pages = [...shown].sort((left, right) => left - right);
  return pages.flatMap((page, index) => {
    const previous = pages[index - 1];
    return previous !== undefined && page - previous > 1 ? [null, page] : [page];
  });
}
