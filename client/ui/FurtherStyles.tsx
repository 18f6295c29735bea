import { useState, useSyncExternalStore } from "react";

const never = () => () => undefined;

/**
 * The place before what follows the first screen, where the host puts the styles that only this needs
 * (`host/document/html.rs`): they are there before their markup, and behind what a visitor sees first. Pages that the
 * client draws have the whole style sheet, and the policy forbids even an empty element.
 */
export function FurtherStyles() {
  const isServed = useSyncExternalStore(never, () => false, () => true);
  // What was served stays.
  const [isShown] = useState(isServed);
  // An empty text, and not no text: React then keeps the text that is there.
  // eslint-disable-next-line no-restricted-syntax -- Only this text may differ: the host writes it.
  return isShown ? <style suppressHydrationWarning>{""}</style> : null;
}
