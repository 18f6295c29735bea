import { useEffect, useEffectEvent, useRef } from "react";
import type { RefObject } from "react";
import { afterNextPaint } from "../navigation/afterNextPaint";
import { useRootAttribute } from "./useRootAttribute";

/**
 * Opens and closes a native modal dialog. The browser keeps the focus inside, closes it on Escape
 * and restores the focus; a click on the backdrop closes it too. The page behind it does not scroll.
 */
export function useModalDialog(open: boolean, onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const handleClose = useEffectEvent(onClose);
  useRootAttribute("data-modal", open);

  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (!open) {
      element.close();
      return;
    }
    // A modal dialog makes the page inert, for which the browser computes the styles of all its elements anew. A
    // shopper sees the dialog before that (`base.css` places it).
    element.setAttribute("open", "");
    const escape = new AbortController();
    const cancel = afterNextPaint(() => {
      escape.abort();
      // It may have been closed, which React has not heard yet.
      if (!element.open) return;
      element.removeAttribute("open");
      element.showModal();
    });
    document.addEventListener("keydown", ({ key }) => { if (key === "Escape") element.close(); }, escape);
    return () => {
      escape.abort();
      cancel();
    };
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
    element.addEventListener(
      "close",
      () => {
        handleClose();
      },
      listeners,
    );
    return () => {
      listeners.abort();
    };
  }, []);

  return dialog;
}
