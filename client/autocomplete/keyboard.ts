import type { Popup } from "./popup";

/** What keys do besides moving through the list. */
interface Actions {
  /** Asks for the suggestions for the text in the field, and opens the list. */
  open: () => void;
  close: () => void;
  choose: (option: HTMLElement) => void;
}

/**
 * Handles the keys of a combobox. Other keys, such as Home and End, act on the text, and Enter without an active option
 * submits the form.
 */
export function answerKey(event: KeyboardEvent, popup: Popup, { open, close, choose }: Actions): void {
  // An input method uses the same keys for its own list.
  if (event.isComposing || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { key, altKey } = event;
  if (altKey) {
    if (key === "ArrowDown") open();
    else if (key === "ArrowUp") close();
    else return;
  } else if (key === "ArrowDown" || key === "ArrowUp") {
    if (!popup.isOpen) {
      open();
      return;
    }
    popup.move(key === "ArrowDown" ? 1 : -1);
  } else if (key === "Escape") {
    // The browser would clear the field; that is left to the next Escape.
    const wasOpen = popup.isOpen;
    close();
    if (!wasOpen) return;
  } else if (key === "Enter" && popup.active !== undefined) {
    choose(popup.active);
  } else return;
  event.preventDefault();
}
