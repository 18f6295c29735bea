import { useEffect, useEffectEvent, useRef } from "react";
import type { RefObject } from "react";

/**
 * A native modal dialog that follows `open`. The browser keeps the focus inside, closes on Escape
 * and gives the focus back; a press on the backdrop closes too.
 */
export function useModalDialog(open: boolean, onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const closed = useEffectEvent(onClose);

  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);

  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const listeners = new AbortController();
    // A drag that begins inside and ends on the backdrop also clicks the dialog, but means no closing.
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
        closed();
      },
      listeners,
    );
    return () => {
      listeners.abort();
    };
  }, []);

  return dialog;
}
