/** The page numbers that a pagination names: first, last, and those around the current one; null is a gap. */
export function pageNumbers(current: number, last: number): (number | null)[] {
  const named = new Set([1, current - 1, current, current + 1, last].filter((page) => page >= 1 && page <= last));
  // A gap of one page takes as much room as that page's own number.
  for (const edge of [2, last - 1]) {
    if (edge >= 1 && edge <= last && Math.abs(edge - current) === 2) named.add(edge);
  }
  const pages = [...named].sort((left, right) => left - right);
  return pages.flatMap((page, index) => {
    const before = pages[index - 1];
    return before !== undefined && page - before > 1 ? [null, page] : [page];
  });
}
