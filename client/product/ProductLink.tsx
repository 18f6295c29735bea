import type { ProductLink as Link } from "../contract.gen";
import { phrase } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import "./ProductLink.css";

interface ProductLinkProps {
  link: Link;
}

/** Leads to where the product is sold. An ordinary link, which needs no JavaScript. */
export function ProductLink({ link: { href, host } }: ProductLinkProps) {
  return (
    <a className="button button--primary ProductLink" href={href} rel="noopener external">
      <span className="ProductLink-text">
        {phrase(Key.viewAt, <bdi>{host}</bdi>)}
      </span>
      <Icon name="arrow-right" size={20} />
    </a>
  );
}
