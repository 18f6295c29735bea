import type { ComponentProps, MouseEvent } from "react";
import { createPath } from "./router";
import { usePageRouter } from "./usePageRouter";

export interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  /** The address of a page of the shop, from the root. */
  to: string;
  /** The window stays where it is. */
  preventScrollReset?: boolean;
}

/**
 * A link to a page of the shop, which changes the page without loading a document. On the server
 * `ssr/replacements/navigation/Link.tsx` stands in for it.
 */
export function Link({ to, preventScrollReset, onClick, children, ...attributes }: LinkProps) {
  const { navigator, getState } = usePageRouter();

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    // What opens a tab, a window or a download is the browser's.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    // As in the browser, the current address again makes no history entry.
    const isCurrent = createPath(getState().visit.location) === to;
    navigator[isCurrent ? "replace" : "push"](to, undefined, { preventScrollReset });
  }

  return (
    <a {...attributes} href={to} onClick={follow}>
      {children}
    </a>
  );
}
