import type { ShopLink, ShopPromise } from "../contract.gen";
import { Icon } from "../ui/Icon";
import { OperatorLink } from "../ui/OperatorLink";
import "./ProductEnquiry.css";

interface ProductEnquiryProps {
  enquiry: ShopLink;
  /** The product is sold out. */
  quiet: boolean;
  promises: readonly ShopPromise[];
}

/** Where to ask for the product or order it, and what the shop promises. It needs no JavaScript. */
export function ProductEnquiry({ enquiry: { text, href }, quiet, promises }: ProductEnquiryProps) {
  return (
    <div className="ProductEnquiry">
      <OperatorLink className={`button button--${quiet ? "quiet" : "primary"} ProductLink`} href={href}>
        {text}
      </OperatorLink>
      {promises.length > 0 && (
        <ul className="ProductEnquiry-promises">
          {promises.map(({ icon, text: promise }, index) => (
            <li key={index} className="ProductEnquiry-promise">
              <Icon name={icon} size={18} />
              <span>{promise}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
