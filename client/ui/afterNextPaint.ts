/** Runs `task` once the browser has shown the next frame. Returns what keeps it from running. */
export function afterNextPaint(task: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Frames are asked for right before they are painted, so the task after this one comes after the paint.
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(task);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
