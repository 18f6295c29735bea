import type { Page } from "@playwright/test";

/** What the browser measured while a visitor waited, in milliseconds. */
export interface Timing {
  /** From the press to the next frame on the screen (Event Timing API, steps of 8 ms). */
  nextPaint: number;
  /** The event whose handling and frame took longest. */
  slowest: string;
  /** The longest frame until the result was there; an answer of the shop is rendered after the next paint. */
  longestFrame: number;
}

interface Recorder {
  timings: PerformanceObserver;
  events: { name: string; duration: number; processing: number }[];
  frames: PerformanceObserver;
  frameDurations: number[];
}

/** Starts to record; to be called right before the press. */
export async function startRecording(page: Page): Promise<void> {
  await page.evaluate(() => {
    const events: Recorder["events"] = [];
    const frameDurations: number[] = [];
    const readEvents = (entries: PerformanceEntryList) => {
      for (const entry of entries as (PerformanceEventTiming & { interactionId: number })[]) {
        const { name, duration, processingStart, processingEnd, interactionId } = entry;
        if (interactionId > 0) events.push({ name, duration, processing: processingEnd - processingStart });
      }
    };
    const timings = new PerformanceObserver((list) => { readEvents(list.getEntries()); });
    timings.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    const frames = new PerformanceObserver((list) => { frameDurations.push(...list.getEntries().map(({ duration }) => duration)); });
    frames.observe({ type: "long-animation-frame" });
    Object.assign(globalThis, { recorder: { timings, events, frames, frameDurations } });
  });
}

/** Waits until the frame after the press was recorded; at most for a second, because a quick one has no entry. */
export async function nextPaintRecorded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { events } = (globalThis as unknown as { recorder: Recorder }).recorder;
    const latest = performance.now() + 1000;
    while (!events.some(({ name }) => name === "click") && performance.now() < latest) {
      await new Promise((rested) => setTimeout(rested, 50));
    }
  });
}

/** Returns what was recorded, once the frames until now have been shown. */
export async function stopRecording(page: Page): Promise<Timing> {
  return page.evaluate(async () => {
    // The entries of a frame come after it was shown.
    for (let frame = 0; frame < 3; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
    await new Promise((rested) => setTimeout(rested, 100));
    const { timings, events, frames, frameDurations } = (globalThis as unknown as { recorder: Recorder }).recorder;
    timings.disconnect();
    frames.disconnect();
    const slowest = events.toSorted((left, right) => right.duration - left.duration)[0];
    return {
      // What took less than the observer's threshold has no entry.
      nextPaint: slowest?.duration ?? 16,
      slowest: slowest === undefined ? "" : `${slowest.name}, ${Math.round(slowest.processing)} ms of scripts`,
      longestFrame: Math.round(Math.max(0, ...frameDurations)),
    };
  });
}
