import "./ShortCut.css";

/** The id of the place where the filters begin: the panel, or the button that opens it. */
export const LISTING_ID = "listing";

/** The id of the element that follows the products. */
export const PRODUCTS_END_ID = "products-end";

interface ShortCutProps {
  /** The id of the element that gets the focus. */
  to: string;
  children: string;
}

/** A link for keyboards, which is visible while it has the focus. It leads past dozens of cards, or back. */
export function ShortCut({ to, children }: ShortCutProps) {
  return (
    <a className="ShortCut button button--primary" href={`#${to}`}>
      {children}
    </a>
  );
}
