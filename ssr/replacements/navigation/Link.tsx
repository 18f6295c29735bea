import type { LinkProps } from "../../../client/navigation/Link";

/** The client's link without what only a click needs. */
export function Link({ to, preventScrollReset: _, onClick: _onClick, children, ...attributes }: LinkProps) {
  return (
    <a {...attributes} href={to}>
      {children}
    </a>
  );
}
