/** The controls whose use loads the client. The browser follows ordinary links by itself. */
export const CONTROLS = "button,input,select,textarea,summary,label,[role=button]";

/** The controls whose press does nothing, or something else, without the client. */
const PRESSED = "button[type=button],a[role=button]";

/** More than anybody presses while a script is loading. */
const MOST = 32;

/** Finds the element that has replaced another one. */
export type Successor = <Former extends HTMLElement>(former: Former) => Former;

export interface Presses {
  /** Whether there is something to repeat. */
  readonly any: boolean;
  /** Stops remembering, and repeats the presses in their order, the first one at once. */
  repeat: (successor?: Successor) => Promise<void>;
}

/**
 * Remembers presses of controls that need the client. What the browser can do without it is left to the browser: it
 * follows links, submits forms that have an address, and keeps what is typed or chosen, which the components read.
 */
export function rememberPresses(): Presses {
  const listeners = new AbortController();
  const remembered: ((successor: Successor) => void)[] = [];
  const remember = (event: Event, press: (successor: Successor) => void) => {
    event.preventDefault();
    if (remembered.length < MOST) remembered.push(press);
  };
  const pressed = (event: Event) => (event.target instanceof Element ? event.target.closest<HTMLElement>(PRESSED) : null);
  const options = { signal: listeners.signal, capture: true };

  addEventListener(
    "click",
    (event) => {
      const control = pressed(event);
      if (control === null || (control instanceof HTMLAnchorElement && hasModifier(event))) return;
      remember(event, (successor) => {
        successor(control).click();
      });
    },
    options,
  );
  addEventListener(
    "keydown",
    (event) => {
      // The browser presses a button with the space bar, but not a link that looks like one.
      const control = pressed(event);
      if (event.key !== " " || !(control instanceof HTMLAnchorElement)) return;
      // A space bar that is held down would scroll the page.
      if (event.repeat) event.preventDefault();
      else remember(event, (successor) => { successor(control).click(); });
    },
    options,
  );
  addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || form.hasAttribute("action")) return;
      const { submitter } = event;
      remember(event, (successor) => {
        // React hydrates at once for a click, but not for a submission alone.
        if (submitter === null) successor(form).requestSubmit();
        else successor(submitter).click();
      });
    },
    options,
  );

  return {
    get any() {
      return remembered.length > 0;
    },
    repeat: async (successor = (same) => same) => {
      listeners.abort();
      for (const press of remembered.splice(0)) {
        press(successor);
        // React renders what a press has changed in a microtask; the next press needs the result.
        await Promise.resolve();
      }
    },
  };
}

/** With one of these keys a press of a link opens another tab or window. */
function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}
