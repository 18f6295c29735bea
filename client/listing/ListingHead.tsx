import type { Listing } from "../contract.gen";
import { Sill } from "../ui/Sill";
import { Breadcrumb } from "./Breadcrumb";
import { ListingFigures } from "./ListingFigures";
import "./ListingHead.css";
import "./occasions.css";

/** The index of the first product on the sill: those before it stand in the first row of cards, just below. */
const FIRST_ON_SILL = 4;

interface ListingHeadProps {
  listing: Listing;
  /** Whether only the title is shown, which leaves more room to the products. */
  compact?: boolean;
}

/** The head of a listing: its title, what it has, and some of its products on a window sill. */
export function ListingHead({ listing: { source, heading, figures, products }, compact = false }: ListingHeadProps) {
  // A search shows its first results.
  const first = source.type === "search" ? 0 : FIRST_ON_SILL;
  const discount = source.type === "sale" || source.type === "deals" ? figures?.deepestDiscount : undefined;
  const classes = ["ListingHead", `ListingHead--${source.type}`];
  if (compact) classes.push("ListingHead--low");
  if (discount !== undefined) classes.push("ListingHead--tagged");
  return (
    <header className={classes.join(" ")}>
      {/* First, so that the words do not become narrower when it arrives. */}
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
          up to <strong className="ListingHead-percent">{`${discount}%`}</strong> off
        </p>
      )}
    </header>
  );
}
