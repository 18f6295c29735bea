import type { Successor } from "./early/presses";
import { withKeys } from "./ui/withKeys";

/** The elements that can be pressed, filled in, opened or focused. */
const CONTROLS = "a,button,details,form,input,label,select,summary,textarea,[tabindex]";

/** Pressing these does nothing without their handlers. What is ticked or chosen is copied instead. */
const PRESSED = "a,button,label,summary";
const ENTERED = "input,select,textarea";

/** The elements that some translators put in the place of texts. The shop itself has no such elements. */
const TRANSLATED: string = "font";

/**
 * Keeps the elements that the server sent until React has taken them over. If React makes others instead, because
 * something has changed the page meanwhile, such as a translator, they get what the visitor has entered, the focus, and
 * the presses that the former elements have received.
 *
 * `language` is the document's as the host has sent it. Translators set another one.
 */
export function keepServed(root: HTMLElement, language: string) {
  const controls = () => withKeys([...root.querySelectorAll<HTMLElement>(CONTROLS)], kindOf);
  const served = controls();
  const successors = new WeakMap<HTMLElement, HTMLElement>();
  let isReplaced = false;
  const listening = new AbortController();
  const options = { signal: listening.signal, capture: true };
  let focused = document.activeElement;
  // An element that is removed forgets what was selected in it.
  let selection = selectionOf(focused);
  /** Where the mouse went down, until it goes up. */
  let down: Element | undefined = [...root.querySelectorAll(":active")].at(-1);

  function finish() {
    listening.abort();
    // Elements that the page no longer shows must not be kept.
    served.length = 0;
    focused = null;
    down = undefined;
  }

  function controlOf(target: EventTarget | null | undefined, selector: string): HTMLElement | undefined {
    const control = target instanceof Element ? target.closest<HTMLElement>(selector) : null;
    return control === null || control.isConnected ? undefined : successors.get(control);
  }

  addEventListener("focusin", ({ target }) => (focused = target as Element), options);
  addEventListener(
    "focusout",
    ({ target }) => {
      // An element that is removed loses the focus, too. In that case its successor gets it within the same task.
      queueMicrotask(() => {
        if (focused === target && document.activeElement !== target) focused = null;
      });
    },
    options,
  );
  document.addEventListener("selectionchange", () => (selection = selectionOf(document.activeElement)), options);
  addEventListener("pointerdown", ({ target }) => (down = target as Element), options);
  addEventListener("pointercancel", () => (down = undefined), options);
  addEventListener(
    "pointerup",
    ({ target, pointerType }) => {
      // The element under the mouse has been replaced, so the browser fires no click. Touch screens fire one.
      const control = pointerType === "mouse" ? controlOf(down, `${PRESSED},${ENTERED}`) : undefined;
      down = undefined;
      if (control?.contains(target as Element) === true) control.click();
      if (isReplaced) finish();
    },
    options,
  );
  // After React, which replaces the elements while it handles the press.
  addEventListener(
    "click",
    (event) => {
      const isEntry = event.target instanceof Element && event.target.matches(ENTERED);
      const control = isEntry ? undefined : controlOf(event.target, PRESSED);
      if (control === undefined) return;
      event.preventDefault();
      control.click();
    },
    { signal: listening.signal },
  );

  function handOver() {
    isReplaced = served[0]?.[1].isConnected === false;
    if (!isReplaced) return;
    const made = new Map(controls());
    for (const [key, former] of served) {
      const successor = made.get(key);
      if (successor === undefined) continue;
      successors.set(former, successor);
      copyEntry(former, successor);
    }
    const successor = focused instanceof HTMLElement ? successors.get(focused) : undefined;
    if (successor === undefined) return;
    successor.focus({ preventScroll: true });
    if (successor instanceof HTMLInputElement && selection !== undefined) successor.setSelectionRange(...selection);
  }

  return {
    handOver,
    successor: ((former) => successors.get(former) ?? former) as Successor,
    isTranslated: () =>
      document.documentElement.lang !== language || served.some(([, control]) => control.querySelector(TRANSLATED) !== null),
    /** Ends this after the event that made React take over; if the mouse is still down then, when it goes up. */
    release: () => {
      setTimeout(() => {
        if (!isReplaced || down === undefined) finish();
      });
    },
  };
}

/** The features that a control has in both trees, whatever the language of its texts. Typing changes a field's value, not its attribute. */
function kindOf(control: HTMLElement): string {
  const attributes = ["name", "href", "value"].map((name) => control.getAttribute(name));
  return [control.localName, control.className, ...attributes].join("\n");
}

function isTick({ type }: HTMLInputElement): boolean {
  return type === "checkbox" || type === "radio";
}

function copyEntry(former: HTMLElement, successor: HTMLElement): void {
  if (former instanceof HTMLDetailsElement && successor instanceof HTMLDetailsElement) successor.open = former.open;
  if (former instanceof HTMLSelectElement && successor instanceof HTMLSelectElement) successor.value = former.value;
  if (!(former instanceof HTMLInputElement && successor instanceof HTMLInputElement)) return;
  if (isTick(former)) successor.checked = former.checked;
  else if (successor.value !== former.value) successor.value = former.value;
}

/** The selection in a text field. Fields for email addresses and numbers have no selection. */
function selectionOf(field: Element | null): Parameters<HTMLInputElement["setSelectionRange"]> | undefined {
  if (!(field instanceof HTMLInputElement) || field.selectionStart === null) return undefined;
  return [field.selectionStart, field.selectionEnd, field.selectionDirection ?? undefined];
}
