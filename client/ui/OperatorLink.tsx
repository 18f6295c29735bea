import { Link } from "../navigation/Link";
import type { NavLink } from "../navigation/router";
import { routeOf } from "../navigation/routes";

interface OperatorLinkProps {
  className?: string;
  href: string;
  children: string;
  onClick?: () => void;
  /** The component for a link to a page of the shop. */
  inside?: typeof Link | typeof NavLink;
}

/** A link that the operator chose: to a page of the shop, to another of its addresses, or elsewhere. */
export function OperatorLink({ href, children, inside: PageLink = Link, ...attributes }: OperatorLinkProps) {
  const [path = ""] = href.split(/[?#]/, 1);
  // For a path that is not a page, the router would ask for page data that does not exist.
  if (routeOf(path) === undefined) {
    return (
      <a href={href} {...attributes}>
        {children}
      </a>
    );
  }
  return (
    <PageLink to={href} {...attributes}>
      {children}
    </PageLink>
  );
}
