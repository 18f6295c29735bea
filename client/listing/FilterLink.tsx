import { Link } from "../navigation/Link";
import type { LinkProps } from "../navigation/router";

interface FilterLinkProps extends Omit<LinkProps, "onClick" | "preventScrollReset"> {
  /** Called instead of the navigation, so that the change is added to those not yet answered. */
  onFollow: () => void;
}

/** A link that changes filters. In a new tab or without JavaScript it opens its address. */
export function FilterLink({ onFollow, children, ...attributes }: FilterLinkProps) {
  return (
    <Link
      {...attributes}
      preventScrollReset
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onFollow();
      }}
    >
      {children}
    </Link>
  );
}
