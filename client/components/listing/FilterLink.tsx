import { Link } from "../../router";
import type { LinkProps } from "../../router";

interface FilterLinkProps extends Omit<LinkProps, "onClick" | "preventScrollReset"> {
  /** Takes the place of the navigation, so that the change adds to those that are under way. */
  onFollow: () => void;
}

/** A link that changes filters. In a new tab, or without JavaScript, it leads to its address. */
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
