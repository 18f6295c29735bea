/**
 * Whether React did not find an element or text where it had put it: another program has moved or removed it, such as
 * a translator or an extension of the browser.
 */
export function isNodeMissing(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "NotFoundError";
}
