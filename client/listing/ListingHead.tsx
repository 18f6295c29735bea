import type { Listing } from "../contract.gen";
import { Awning } from "../ui/Awning";
import { Sill } from "../ui/Sill";
import { Breadcrumb } from "./Breadcrumb";
import { ListingFigures } from "./ListingFigures";
import "./ListingHead.css";
import "./occasions.css";

/** The first picture of the head: those before it stand in the first row of cards, just below. */
const FIRST_PICTURE = 4;

/** The head of a listing: its title, what it has, and some of its products on a window sill. */
export function ListingHead({ listing: { source, heading, tint, figures, products } }: { listing: Listing }) {
  const pictures = products.map(({ thumbnail }) => thumbnail);
  const discount = source.type === "sale" || source.type === "deals" ? figures?.deepestDiscount : undefined;
  return (
    <header className={`ListingHead ListingHead--${source.type} ${tint === undefined ? "" : `tint-${tint}`}`.trimEnd()}>
      <Awning />
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
      <Sill pictures={[...pictures.slice(FIRST_PICTURE), ...pictures]} />
    </header>
  );
}
