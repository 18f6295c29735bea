import type { ShopLink } from "../contract.gen";
import { OperatorLink } from "../ui/OperatorLink";

interface FooterColumnProps {
  /** A word that no other column has. */
  id: string;
  title: string;
  /** Links to pages of the shop or to other addresses. */
  links: readonly ShopLink[];
}

export function FooterColumn({ id, title, links }: FooterColumnProps) {
  const titleId = `Footer-${id}`;
  return (
    <nav className="Footer-column" aria-labelledby={titleId}>
      <h2 className="Footer-title" id={titleId}>
        {title}
      </h2>
      <ul className="Footer-list">
        {links.map(({ href, text }, index) => (
          <li key={index}>
            <OperatorLink className="Footer-link" href={href}>
              {text}
            </OperatorLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
