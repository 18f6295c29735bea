import { useId, useState } from "react";
import { FilterGroup } from "./FilterGroup";
import { wholePrice } from "./wholePrice";
import "./PriceFilter.css";

interface PriceFilterProps {
  /** The listing's highest price, rounded up. A maximum of this price filters nothing. */
  ceiling: number;
  maxPrice: number | null;
  onChange: (maxPrice: number | null) => void;
}

export function PriceFilter({ ceiling, maxPrice, onChange }: PriceFilterProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const shown = maxPrice ?? ceiling;
  // Typed text stays as it is, empty or with leading zeros, as long as it stands for the current filter.
  const text = typed !== null && maxPriceFrom(typed, ceiling) === maxPrice ? typed : String(shown);

  return (
    <FilterGroup legend="Price">
      <label className="PriceFilter-label" htmlFor={id}>
        Highest price
      </label>
      <span className="PriceFilter-field">
        <span className="PriceFilter-currency" aria-hidden="true">
          $
        </span>
        <input
          className="field PriceFilter-number"
          id={id}
          name="max"
          type="number"
          inputMode="numeric"
          min={0}
          max={ceiling}
          step={1}
          value={text}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(maxPriceFrom(event.target.value, ceiling));
          }}
          onBlur={() => {
            setTyped(null);
          }}
        />
      </span>
      <div className="PriceFilter-scale">
        <input
          className="PriceFilter-range"
          aria-label="Highest price"
          aria-valuetext={wholePrice(shown)}
          type="range"
          min={0}
          max={ceiling}
          step={1}
          value={shown}
          onChange={(event) => {
            setTyped(null);
            onChange(maxPriceFrom(event.target.value, ceiling));
          }}
        />
        <span>{wholePrice(0)}</span>
        <span className="PriceFilter-ceiling">{wholePrice(ceiling)}</span>
      </div>
    </FilterGroup>
  );
}

/** The maximum that a text stands for; null when it is not a number, or filters nothing. */
function maxPriceFrom(text: string, ceiling: number): number | null {
  const maxPrice = Math.floor(Number(text));
  return text.trim() === "" || !Number.isFinite(maxPrice) || maxPrice >= ceiling ? null : Math.max(0, maxPrice);
}
