import { useRef, useState } from "react";
import type { WholePrice } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { useEntryBeforeHydration } from "../ui/useEntryBeforeHydration";
import { priceText } from "./priceText";
import "./PriceFilter.css";

/** The page has one filter form. */
const FIELD_ID = "PriceFilter-field";

interface PriceFilterProps {
  /** Name of the URL parameter. */
  name: string;
  /** The prices that the slider stops at. The last, the listing's highest price rounded up, filters nothing. */
  stops: WholePrice[];
  /** The price cap that the page was made with. */
  chosen: WholePrice | undefined;
  maxPrice: number | null;
  onChange: (maxPrice: number | null) => void;
}

/**
 * The price cap: a field for any price, and a slider. The slider's steps are not equal in money: each lets
 * in about as many products as the others.
 */
export function PriceFilter({ name, stops, chosen, maxPrice, onChange }: PriceFilterProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const steps = stops.length - 1;
  const ceiling = stops[steps]?.value ?? 0;
  const shown = maxPrice ?? ceiling;
  // A typed price between two stops leaves the slider at the lower one.
  const position = stops.filter(({ value }) => value <= shown).length - 1;
  // Typed text stays as it is, empty or with leading zeros, while it stands for the current filter.
  const entry = typed !== null && maxPriceFrom(typed, ceiling) === maxPrice ? typed : String(shown);

  const shownText = priceText(shown, { chosen, stops });

  const slider = useRef<HTMLInputElement>(null);

  function moveTo(step: number) {
    setTyped(null);
    const stop = stops[step]?.value ?? ceiling;
    onChange(stop < ceiling ? stop : null);
  }

  // The form reads its own fields; the slider is not one of them.
  useEntryBeforeHydration(slider, String(position), (step) => {
    moveTo(Number(step));
  });

  return (
    <div className="FilterGroup PriceFilter">
      <label className="FilterGroup-legend" htmlFor={FIELD_ID}>
        {text(Key.highestPrice)}
      </label>
      <span className="PriceFilter-field">
        <input
          className="field PriceFilter-number"
          id={FIELD_ID}
          name={name}
          type="number"
          inputMode="numeric"
          min={0}
          max={ceiling}
          step={1}
          value={entry}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(maxPriceFrom(event.target.value, ceiling));
          }}
          onBlur={() => {
            setTyped(null);
          }}
        />
        {/* It covers the number, which has no currency and no separators, while the field is not focused. */}
        <span className="field PriceFilter-text" aria-hidden="true">
          {shownText}
        </span>
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
          aria-label={text(Key.highestPriceInSteps)}
          aria-valuetext={shownText}
          type="range"
          min={0}
          max={steps}
          step={1}
          value={position}
          onChange={(event) => {
            moveTo(Number(event.target.value));
          }}
        />
      </div>
    </div>
  );
}

/** The maximum that a text stands for; null when it is not a number, or filters nothing. */
function maxPriceFrom(text: string, ceiling: number): number | null {
  const maxPrice = Math.floor(Number(text));
  return text.trim() === "" || !Number.isFinite(maxPrice) || maxPrice >= ceiling ? null : Math.max(0, maxPrice);
}
