import { useRef, useState } from "react";
import { useEntryBeforeHydration } from "../ui/useEntryBeforeHydration";
import { FilterGroup } from "./FilterGroup";
import { wholePrice } from "./wholePrice";
import "./PriceFilter.css";

/** The page has one filter form. */
const FIELD_ID = "PriceFilter-field";

interface PriceFilterProps {
  /** The prices that the slider stops at. The last, the listing's highest price rounded up, filters nothing. */
  stops: readonly number[];
  maxPrice: number | null;
  onChange: (maxPrice: number | null) => void;
}

/** With fewer steps the stop next to the middle is too far from it to be its label. */
const STEPS_WITH_MIDDLE = 8;

/**
 * The price cap: a field for any price, and a slider. The slider's steps are not equal in money: each lets
 * in about as many products as the others.
 */
export function PriceFilter({ stops, maxPrice, onChange }: PriceFilterProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const steps = stops.length - 1;
  const ceiling = stops[steps] ?? 0;
  const shown = maxPrice ?? ceiling;
  // A typed price between two stops leaves the slider at the lower one.
  const position = stops.filter((stop) => stop <= shown).length - 1;
  // Typed text stays as it is, empty or with leading zeros, as long as it stands for the current filter.
  const text = typed !== null && maxPriceFrom(typed, ceiling) === maxPrice ? typed : String(shown);

  const slider = useRef<HTMLInputElement>(null);

  function moveTo(step: number) {
    setTyped(null);
    const stop = stops[step] ?? ceiling;
    onChange(stop < ceiling ? stop : null);
  }

  // The slider is no field of the form, which reads its own fields.
  useEntryBeforeHydration(slider, String(position), (step) => {
    moveTo(Number(step));
  });

  return (
    <FilterGroup legend="Price">
      <label className="PriceFilter-label" htmlFor={FIELD_ID}>
        Highest price
      </label>
      <span className="PriceFilter-field">
        <span className="PriceFilter-currency" aria-hidden="true">
          $
        </span>
        <input
          className="field PriceFilter-number"
          id={FIELD_ID}
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
        {/* Browsers do not agree on how to fill a track. */}
        <svg className="PriceFilter-track" aria-hidden="true">
          <rect className="PriceFilter-rest" width="100%" height="100%" />
          <rect className="PriceFilter-filled" width={`${Math.round((position / steps) * 100)}%`} height="100%" />
        </svg>
        <input
          ref={slider}
          className="PriceFilter-range"
          aria-label="Highest price, in steps"
          aria-valuetext={wholePrice(shown)}
          type="range"
          min={0}
          max={steps}
          step={1}
          value={position}
          onChange={(event) => {
            moveTo(Number(event.target.value));
          }}
        />
        <span>{wholePrice(0)}</span>
        {steps >= STEPS_WITH_MIDDLE && (
          <span className="PriceFilter-middle">{wholePrice(stops[Math.round(steps / 2)] ?? ceiling)}</span>
        )}
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
