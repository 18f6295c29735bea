import type { Listing } from "../contract.gen";
import { phrase, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Sill } from "../ui/Sill";
import { Breadcrumb } from "./Breadcrumb";
import { ListingFigures } from "./ListingFigures";
import "./ListingHead.css";
import "./occasions.css";

/** The sill starts with the product at this index: those before it, in the first row of cards below, come last. */
const FIRST_ON_SILL = 4;

interface ListingHeadProps {
  listing: Listing;
  /** Hides all but breadcrumb and title, which leaves more room for the products. */
  compact?: boolean;
}

/** The head of a listing: its title and figures, and some of its products' pictures on a window sill. */
export function ListingHead({ listing: { source, heading, figures, products }, compact = false }: ListingHeadProps) {
  // A search shows its first results.
  const first = source.type === "search" ? 0 : FIRST_ON_SILL;
  const discount = source.type === "sale" || source.type === "deals" ? figures?.deepestDiscount : undefined;
  const classes = ["ListingHead", `ListingHead--${source.type}`];
  if (compact) classes.push("ListingHead--low");
  if (discount !== undefined) classes.push("ListingHead--tagged");
  return (
    <header className={classes.join(" ")}>
      {/* Before the words, which would otherwise become narrower when the sill arrives. */}
      <Sill cards={[...products.slice(first), ...products.slice(0, first)]} />
      <div className="ListingHead-words">
        <Breadcrumb source={source} heading={heading} />
        <h1 className="ListingHead-title" tabIndex={-1} dir="auto">
          {heading}
        </h1>
        {figures !== undefined && <ListingFigures figures={figures} withDiscount={discount === undefined} />}
      </div>
      {discount !== undefined && (
        <p className="ListingHead-tag">
          {phrase(Key.upToOff, <strong className="ListingHead-percent">{text(Key.percent, discount)}</strong>)}
        </p>
      )}
    </header>
  );
}
