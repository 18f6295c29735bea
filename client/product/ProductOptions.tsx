import { useState } from "react";
import type { OptionValue, ProductDetail, ProductOption } from "../contract.gen";
import { variantHref } from "../navigation/addresses";
import { Link } from "../navigation/Link";
import { Swatches } from "../ui/Swatches";
import { withKeys } from "../ui/withKeys";
import { OptionSelect } from "./OptionSelect";
import { priceLine } from "./priceLine";
import "./ProductOptions.css";

interface ProductOptionsProps {
  product: ProductDetail;
}

/** The options of a product's variants. Each value is a link to the page that shows the variant with it. */
export function ProductOptions({ product }: ProductOptionsProps) {
  const { id, options = [] } = product;
  return (
    options.length > 0 && (
      <div className="ProductOptions">
        {withKeys(options, ({ name }) => name).map(([key, option]) => (
          <div key={key} className="ProductOptions-option" role="group" aria-label={option.name}>
            {option.isLong === true ? <OptionSelect id={id} option={option} /> : <Values id={id} option={option} />}
          </div>
        ))}
        <VariantStatus key={id} product={product} />
      </div>
    )
  );
}

/** Says what the variant costs that the visitor has chosen, and whether it can be had. */
function VariantStatus({ product: { variant, price, availability } }: ProductOptionsProps) {
  // Nothing until another one has been chosen: the page that opens says its price anyway.
  const [opened] = useState(variant);
  return (
    <p className="visually-hidden" role="status">
      {variant !== opened && [priceLine(price), ...availability.map((label) => label.text)].join(", ")}
    </p>
  );
}

function Values({ id, option: { name, values } }: { id: string; option: ProductOption }) {
  return (
    <>
      <p className="ProductOptions-name" aria-hidden="true">
        <bdi>{name}</bdi>
      </p>
      <div className="ProductOptions-values">
        {withKeys(values, ({ name: value }) => value).map(([key, value]) =>
          value.variant === undefined ? (
            <span key={key} className="ProductOptions-only">
              <Value value={value} />
            </span>
          ) : (
            <Link
              key={key}
              className={chipClass(value)}
              to={variantHref(id, value.variant)}
              aria-current={value.isChosen}
              preventScrollReset
            >
              <Value value={value} />
            </Link>
          ),
        )}
      </div>
    </>
  );
}

function chipClass({ note }: OptionValue): string {
  const state = note === undefined ? "" : ` ProductOptions-chip--${note.tone === "none" ? "gone" : "other"}`;
  return `button button--quiet ProductOptions-chip${state}`;
}

function Value({ value: { name, colour, note } }: { value: OptionValue }) {
  return (
    <>
      {colour !== undefined && <Swatches colours={[colour]} />}
      <bdi>{name}</bdi>
      {note !== undefined && <span className="visually-hidden">{`, ${note.text}`}</span>}
    </>
  );
}
