import { useId, useState } from "react";
import { FilterGroup } from "./FilterGroup";
import { wholePrice } from "./wholePrice";
import "./PriceFilter.css";

interface PriceFilterProps {
  /** The listing's highest price, rounded up: at it, nothing is filtered. */
  ceiling: number;
  maxPrice: number | null;
  onChange: (maxPrice: number | null) => void;
}

export function PriceFilter({ ceiling, maxPrice, onChange }: PriceFilterProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const shown = maxPrice ?? ceiling;
  // What is being typed stays as typed, empty or with leading zeros, as long as it means the filter.
  const text = typed !== null && capFrom(typed, ceiling) === maxPrice ? typed : String(shown);

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
            onChange(capFrom(event.target.value, ceiling));
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
            onChange(capFrom(event.target.value, ceiling));
          }}
        />
        <span>{wholePrice(0)}</span>
        <span className="PriceFilter-ceiling">{wholePrice(ceiling)}</span>
      </div>
    </FilterGroup>
  );
}

/** The cap that a text means; none when it is no number, or reaches everything. */
function capFrom(text: string, ceiling: number): number | null {
  const cap = Math.floor(Number(text));
  return text.trim() === "" || !Number.isFinite(cap) || cap >= ceiling ? null : Math.max(0, cap);
}
