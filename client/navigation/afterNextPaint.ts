/** A hidden page has no frames; it waits this long instead. */
const LONGEST_WAIT_MS = 100;

/** Runs `task` once the browser has shown the next frame. Returns what keeps it from running. */
export function afterNextPaint(task: () => void): () => void {
  let timer = setTimeout(run, LONGEST_WAIT_MS);
  // Frames are asked for right before they are painted, so the task after this one comes after the paint.
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(run);
  });

  function run() {
    cancelAnimationFrame(frame);
    task();
  }

  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
