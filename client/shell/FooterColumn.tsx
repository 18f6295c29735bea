import { Link } from "../navigation/Link";

interface FooterColumnProps {
  /** A word that no other column has: it also makes the id of the heading. */
  title: string;
  /** To pages of the shop, or to other addresses. */
  links: readonly { href: string; name: string }[];
}

export function FooterColumn({ title, links }: FooterColumnProps) {
  const titleId = `Footer-${title}`;
  return (
    <nav className="Footer-column" aria-labelledby={titleId}>
      <h2 className="Footer-title" id={titleId}>
        {title}
      </h2>
      <ul className="Footer-list">
        {links.map(({ href, name }) => (
          <li key={href}>
            <Link className="Footer-link" to={href}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
