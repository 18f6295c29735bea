/** Enough for a visit, and little beside the tens of megabytes that browsers allow a site. */
const MAX_PAGES = 50;
const MAX_BYTES = 4_000_000;

/** How many of the oldest pages have to go. The sizes are in bytes, the oldest first. */
export function excess(sizes: readonly number[]): number {
  let room = MAX_BYTES;
  let kept = 0;
  for (const size of sizes.toReversed()) {
    room -= size;
    if (kept === MAX_PAGES || room < 0) break;
    kept += 1;
  }
  return sizes.length - kept;
}
