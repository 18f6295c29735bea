import { Link } from "../navigation/Link";
import { routeOf } from "../navigation/routes";

interface OperatorLinkProps {
  className: string;
  href: string;
  children: string;
}

/** A link that the operator chose: to a page of the shop, to another of its addresses, or elsewhere. */
export function OperatorLink({ className, href, children }: OperatorLinkProps) {
  const [path = ""] = href.split(/[?#]/, 1);
  // The router would ask for the data of a page that is none.
  if (routeOf(path) === undefined) {
    return (
      <a className={className} href={href}>
        {children}
      </a>
    );
  }
  return (
    <Link className={className} to={href}>
      {children}
    </Link>
  );
}
