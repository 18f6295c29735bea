import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { crossFade } from "./crossFade";

type Callback = () => unknown;

const update = vi.fn();

/** Lets the document have a `startViewTransition` that behaves as given. */
function provide(startViewTransition: (callback: Callback) => unknown): void {
  Object.assign(document, { startViewTransition });
}

function transition(parts: Partial<Record<"ready" | "updateCallbackDone" | "finished", Promise<unknown>>> = {}) {
  const done = Promise.resolve();
  return { ready: done, updateCallbackDone: done, finished: done, ...parts };
}

beforeEach(() => {
  vi.useFakeTimers();
  update.mockReset();
});

afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(document, "startViewTransition");
});

/** Lets the next frame be shown, after which a transition starts. */
async function nextFrame(): Promise<void> {
  await vi.advanceTimersByTimeAsync(20);
}

/** Lets everything happen that could still happen. */
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(60_000);
}

test("updates at once where the browser has no view transitions", async () => {
  crossFade(update);
  expect(update).toHaveBeenCalledTimes(1);
  await settle();
  expect(update).toHaveBeenCalledTimes(1);
});

test("updates when the transition calls back, and not a second time", async () => {
  let callback: Callback | undefined;
  provide((given) => {
    callback = given;
    return transition();
  });
  crossFade(update);
  expect(callback).toBeUndefined();
  await nextFrame();
  expect(update).not.toHaveBeenCalled();
  callback?.();
  expect(update).toHaveBeenCalledTimes(1);
  callback?.();
  await settle();
  expect(update).toHaveBeenCalledTimes(1);
});

test("updates when starting a transition throws", async () => {
  provide(() => {
    throw new DOMException("not now", "InvalidStateError");
  });
  crossFade(update);
  await nextFrame();
  expect(update).toHaveBeenCalledTimes(1);
  await settle();
  expect(update).toHaveBeenCalledTimes(1);
});

test("updates once when a transition calls back and throws then", async () => {
  provide((callback) => {
    callback();
    throw new Error("too late");
  });
  crossFade(update);
  await settle();
  expect(update).toHaveBeenCalledTimes(1);
});

test("updates when there is no transition after all", async () => {
  provide(() => undefined);
  crossFade(update);
  await nextFrame();
  expect(update).toHaveBeenCalledTimes(1);
});

test.each(["ready", "updateCallbackDone", "finished"] as const)("updates when %s is rejected without calling back", async (part) => {
  provide(() => transition({ [part]: Promise.reject(new DOMException("skipped", "AbortError")) }));
  crossFade(update);
  await nextFrame();
  expect(update).toHaveBeenCalledTimes(1);
  await settle();
  expect(update).toHaveBeenCalledTimes(1);
});

test("updates after a while when a transition never calls back, and ignores a call that comes later", async () => {
  let callback: Callback | undefined;
  const never = new Promise<never>(() => undefined);
  provide((given) => {
    callback = given;
    return transition({ ready: never, updateCallbackDone: never, finished: never });
  });
  crossFade(update);
  await vi.advanceTimersByTimeAsync(499);
  expect(update).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(update).toHaveBeenCalledTimes(1);
  callback?.();
  await settle();
  expect(update).toHaveBeenCalledTimes(1);
});

test("an update that is still waiting can be made at once, and then there is no transition", async () => {
  const startViewTransition = vi.fn(() => transition());
  provide(startViewTransition);
  const finish = crossFade(update);
  finish();
  expect(update).toHaveBeenCalledTimes(1);
  finish();
  await settle();
  expect(update).toHaveBeenCalledTimes(1);
  expect(startViewTransition).not.toHaveBeenCalled();
});
