import { NavLink } from "../navigation/router";
import { routeOf } from "../navigation/routes";

interface NavigationLinkProps {
  className: string;
  href: string;
  children: string;
  onClick?: () => void;
}

/** A link of the header, marked on the page that it leads to. Those of an operator may lead elsewhere. */
export function NavigationLink({ href, children, ...attributes }: NavigationLinkProps) {
  const [path = ""] = href.split(/[?#]/, 1);
  if (routeOf(path) === undefined) {
    return (
      <a href={href} {...attributes}>
        {children}
      </a>
    );
  }
  return (
    <NavLink to={href} {...attributes}>
      {children}
    </NavLink>
  );
}
