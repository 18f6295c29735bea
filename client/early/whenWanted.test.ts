import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { whenWanted } from "./whenWanted";

let idle: (() => void)[];

beforeEach(() => {
  idle = [];
  vi.useFakeTimers();
  vi.stubGlobal("requestIdleCallback", (callBack: () => void) => idle.push(callBack));
  document.body.innerHTML = '<div id="root"><main><button id="add">Add</button><a id="link" href="#x">Link</a></main></div>';
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function waiting() {
  const wanted = vi.fn();
  whenWanted(wanted);
  return wanted;
}

const on = (id: string, event: Event) => document.getElementById(id)?.dispatchEvent(event);

/** A move of the pointer; `by` is 0 when the page moves below it. */
function move(by: number, pointerType = "mouse"): Event {
  return Object.assign(new Event("pointermove", { bubbles: true }), { pointerType, movementX: 0, movementY: by });
}

it.each(["pointerdown", "focusin", "click", "input"])("is wanted once, at a control's %s", (type) => {
  const wanted = waiting();
  on("link", new Event(type, { bubbles: true }));
  expect(wanted).not.toHaveBeenCalled();
  on("add", new Event(type, { bubbles: true }));
  expect(wanted).toHaveBeenCalledTimes(1);
  on("add", new Event(type, { bubbles: true }));
  window.dispatchEvent(new Event("load"));
  vi.runAllTimers();
  expect(wanted).toHaveBeenCalledTimes(1);
  expect(idle).toHaveLength(0);
});

it("is wanted when the visitor goes back", () => {
  const wanted = waiting();
  window.dispatchEvent(new PopStateEvent("popstate"));
  expect(wanted).toHaveBeenCalledTimes(1);
});

it("is wanted when the mouse comes to a control, but not when a control comes to the mouse", () => {
  const wanted = waiting();
  on("add", move(0));
  on("add", move(3, "touch"));
  on("add", new Event("pointerover", { bubbles: true }));
  window.dispatchEvent(new Event("scroll"));
  expect(wanted).not.toHaveBeenCalled();
  on("add", move(3));
  expect(wanted).toHaveBeenCalledTimes(1);
});

it("is wanted in idle time after the document has loaded", () => {
  const wanted = waiting();
  expect(idle).toHaveLength(0);
  window.dispatchEvent(new Event("load"));
  expect(wanted).not.toHaveBeenCalled();
  idle[0]?.();
  expect(wanted).toHaveBeenCalledTimes(1);
});

it("is wanted shortly after the document has loaded where browsers do not tell of idle time", () => {
  vi.unstubAllGlobals();
  expect("requestIdleCallback" in window).toBe(false);
  const wanted = waiting();
  window.dispatchEvent(new Event("load"));
  vi.advanceTimersByTime(200);
  expect(wanted).toHaveBeenCalledTimes(1);
});

it("is wanted although a picture never loads", () => {
  const wanted = waiting();
  window.dispatchEvent(new Event("DOMContentLoaded"));
  vi.advanceTimersByTime(4_900);
  expect(wanted).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(wanted).toHaveBeenCalledTimes(1);
});

it("is wanted at once in a document without markup", () => {
  document.body.innerHTML = '<div id="root"></div>';
  const wanted = waiting();
  window.dispatchEvent(new Event("DOMContentLoaded"));
  expect(wanted).toHaveBeenCalledTimes(1);
});
