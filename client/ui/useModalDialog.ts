import { useEffect, useEffectEvent, useRef } from "react";
import type { RefObject } from "react";
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
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
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
