import type { ProductLink as Link } from "../contract.gen";
import { phrase } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import "./ProductLink.css";

interface ProductLinkProps {
  link: Link;
  /** The product is sold out. */
  quiet: boolean;
}

/** Leads to where the product is sold. An ordinary link, which needs no JavaScript. */
export function ProductLink({ link: { href, host }, quiet }: ProductLinkProps) {
  return (
    <a className={`button button--${quiet ? "quiet" : "primary"} ProductLink`} href={href} rel="noopener external">
      <span className="ProductLink-text">
        {phrase(Key.viewAt, <bdi>{host}</bdi>)}
      </span>
      <Icon name="arrow-right" size={20} />
    </a>
  );
}
