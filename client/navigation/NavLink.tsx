import { Link } from "./Link";
import type { LinkProps } from "./Link";
import { useLocation } from "./router";

/** A link that is marked as the current one on its page and below it. */
export function NavLink(props: LinkProps) {
  return <Link {...props} aria-current={isAtOrBelow(useLocation().pathname, props.to) ? "page" : undefined} />;
}

export function isAtOrBelow(pathname: string, to: string): boolean {
  return `${pathname}/`.toLowerCase().startsWith(`${to}/`);
}
