import { useEffect, useEffectEvent, useRef } from "react";
import type { RefObject } from "react";
import { afterNextPaint } from "../navigation/afterNextPaint";

/**
 * Shows a dialog at once, and makes it modal after the next frame: then the page becomes inert and no longer scrolls,
 * for which the browser computes the styles of all its elements again (`base.css` places the dialog until then). A
 * press makes it modal at once: if it moved the focus first, the browser would later give that back to a wrong element.
 * Returns a function that lets the page scroll again and leaves the dialog as it is.
 */
function openModal(dialog: HTMLDialogElement): () => void {
  const waiting = new AbortController();
  const cancel = afterNextPaint(becomeModal);
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") dialog.close();
    else becomeModal();
  }, waiting);
  document.addEventListener("pointerdown", becomeModal, waiting);
  dialog.setAttribute("open", "");

  function becomeModal() {
    stop();
    // The dialog may have been closed, and React not have heard of it yet.
    if (!dialog.open) return;
    dialog.removeAttribute("open");
    dialog.showModal();
    document.documentElement.setAttribute("data-modal", "");
  }

  function stop() {
    waiting.abort();
    cancel();
  }

  return () => {
    stop();
    document.documentElement.removeAttribute("data-modal");
  };
}

/**
 * Opens and closes a native modal dialog. The browser keeps the focus inside, closes it on Escape
 * and restores the focus; a click on the backdrop closes it too. The page behind it does not scroll.
 */
export function useModalDialog(open: boolean, onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const handleClose = useEffectEvent(onClose);

  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (!open) {
      element.close();
      return;
    }
    return openModal(element);
  }, [open]);

  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const listeners = new AbortController();
    // A drag from the inside to the backdrop also fires a click on the dialog, but must not close it.
    let pressed: EventTarget | null = null;
    element.addEventListener("pointerdown", (event) => (pressed = event.target), listeners);
    element.addEventListener(
      "click",
      (event) => {
        if (event.target === element && pressed === element) element.close();
      },
      listeners,
    );
    element.addEventListener("close", handleClose, listeners);
    return () => {
      listeners.abort();
    };
  }, []);

  return dialog;
}
