import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { rememberPresses } from "./presses";
import type { Presses } from "./presses";

let presses: Presses;

beforeEach(() => {
  document.body.innerHTML = `
    <button type="button" id="add"><span id="icon"></span></button>
    <a role="button" id="zoom" href="#picture">Zoom</a>
    <a id="link" href="#elsewhere">Link</a>
    <form id="newsletter"><input id="email"><button id="subscribe">Subscribe</button></form>
    <form id="search" action="/search"><button id="find">Find</button></form>
    <input type="checkbox" id="stock">`;
  presses = rememberPresses();
});

afterEach(async () => {
  await presses.repeat();
});

const element = (id: string) => document.getElementById(id) as HTMLElement;

/** Presses an element, and returns whether the browser's own action was not prevented. */
function click(id: string, init: MouseEventInit = {}): boolean {
  return element(id).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init }));
}

/** Collects the ids of those of the controls that are clicked from now on. */
function hear(...ids: string[]): string[] {
  const heard: string[] = [];
  for (const id of ids) {
    element(id).addEventListener("click", (event) => {
      event.preventDefault();
      heard.push(id);
    });
  }
  return heard;
}

it("remembers presses of buttons with any key, and of links without one only", async () => {
  expect(click("add", { ctrlKey: true })).toBe(false);
  expect(click("zoom", { ctrlKey: true })).toBe(true);
  const heard = hear("add", "zoom");
  await presses.repeat();
  expect(heard).toEqual(["add"]);
});

it("repeats presses once and in their order", async () => {
  expect(click("icon")).toBe(false);
  expect(click("zoom")).toBe(false);
  expect(click("add")).toBe(false);
  expect(presses.any).toBe(true);
  const heard = hear("add", "zoom");
  await presses.repeat();
  expect(heard).toEqual(["add", "zoom", "add"]);
  await presses.repeat();
  expect(heard).toHaveLength(3);
  expect(presses.any).toBe(false);
});

it("remembers nothing more once they are repeated", async () => {
  await presses.repeat();
  const heard = hear("add");
  click("add");
  expect(heard).toEqual(["add"]);
  expect(presses.any).toBe(false);
});

it.each(["link", "stock"])("leaves a press of %s to the browser", (id) => {
  expect(click(id)).toBe(true);
  expect(presses.any).toBe(false);
});

it("leaves a press that opens another tab to the browser", () => {
  expect(click("zoom", { ctrlKey: true })).toBe(true);
  expect(presses.any).toBe(false);
});

it("remembers the space bar on a link that looks like a button, once while it is held", async () => {
  const space = { key: " ", bubbles: true, cancelable: true };
  expect(element("zoom").dispatchEvent(new KeyboardEvent("keydown", space))).toBe(false);
  element("zoom").dispatchEvent(new KeyboardEvent("keydown", { ...space, repeat: true }));
  // The browser itself makes a click of this one.
  expect(element("add").dispatchEvent(new KeyboardEvent("keydown", space))).toBe(true);
  const heard = hear("zoom", "add");
  await presses.repeat();
  expect(heard).toEqual(["zoom"]);
});

it("remembers what only the client submits", async () => {
  const submit = (id: string) => element(id).dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
  expect(submit("search")).toBe(true);
  expect(presses.any).toBe(false);
  expect(submit("newsletter")).toBe(false);
  const byScript = vi.spyOn(element("newsletter") as HTMLFormElement, "requestSubmit").mockImplementation(() => undefined);
  element("newsletter").dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: element("subscribe") }));
  const heard = hear("subscribe");
  await presses.repeat();
  expect(byScript).toHaveBeenCalledTimes(1);
  expect(heard).toEqual(["subscribe"]);
});

it("remembers no more than a few", async () => {
  for (let count = 0; count < 100; count += 1) click("add");
  const heard = hear("add");
  await presses.repeat();
  expect(heard).toHaveLength(32);
});
