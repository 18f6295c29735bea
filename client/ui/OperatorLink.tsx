import type { ReactNode } from "react";
import { Link } from "../navigation/Link";
import { routeOf } from "../navigation/routes";

interface OperatorLinkProps {
  className?: string;
  href: string;
  children: ReactNode;
}

/** A link that the operator chose: to a page of the shop, to another of its addresses, or elsewhere. */
export function OperatorLink({ href, children, ...attributes }: OperatorLinkProps) {
  const [path = ""] = href.split(/[?#]/, 1);
  // The router would ask for the data of a page that is none.
  if (routeOf(path) === undefined) {
    return (
      <a href={href} {...attributes}>
        {children}
      </a>
    );
  }
  return (
    <Link to={href} {...attributes}>
      {children}
    </Link>
  );
}
