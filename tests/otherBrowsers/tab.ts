/** What the journeys need of a browser. Values are named by expressions that the page evaluates, also without JavaScript. */
export interface Tab {
  open(address: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  /** Clicks a point of the window as a mouse does. */
  clickAt(x: number, y: number): Promise<void>;
  press(key: Key): Promise<void>;
  /** A browser whose window has a least width takes that for a smaller one. */
  resize(width: number, height: number): Promise<void>;
  screenshot(): Promise<Uint8Array>;
}

/** A named key, or a lower-case letter. */
export type Key = "Escape" | "ArrowRight" | "ArrowDown" | "Enter" | Letter;
type Letter = "w" | "a" | "t" | "c" | "h";

export interface StartedBrowser {
  tab: Tab;
  stop(): Promise<void>;
}

/** The first visible element that a selector finds and whose name or text contains the given one. */
export function element(selector: string, text = ""): string {
  return `[...document.querySelectorAll(${JSON.stringify(selector)})].find((element) => element.checkVisibility()
    && (element.ariaLabel ?? element.textContent).includes(${JSON.stringify(text)}))`;
}
