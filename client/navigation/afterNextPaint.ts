/** A hidden page has no frames; it waits this long instead. */
const LONGEST_WAIT_MS = 100;

/** Runs `task` once the browser has shown the next frame. Returns a function that cancels it. */
export function afterNextPaint(task: () => void): () => void {
  let timer = setTimeout(run, LONGEST_WAIT_MS);
  // The callback runs right before the frame is painted, so a task that it queues runs after the paint.
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
