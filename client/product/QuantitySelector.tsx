import { useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import { quantityFrom } from "./quantity";
import "./QuantitySelector.css";

interface QuantitySelectorProps {
  quantity: number;
  minimum: number;
  /** Says what the minimum quantity is, and what it costs. */
  minimumTotal: string;
  onChange: (quantity: number) => void;
}

export function QuantitySelector({ quantity, minimum, minimumTotal, onChange }: QuantitySelectorProps) {
  const id = useId();
  // The text is validated when the entry ends, so that the field may be empty while a number is typed.
  const [entry, setEntry] = useState<string | null>(null);

  function choose(next: number) {
    setEntry(null);
    onChange(Math.max(minimum, next));
  }
  function finishEntry() {
    if (entry !== null) choose(quantityFrom(entry, minimum));
  }

  const field = useRef<HTMLInputElement>(null);
  const applyEarlyEntry = useEffectEvent((input: HTMLInputElement) => {
    if (input.value === String(quantity)) return;
    if (input === document.activeElement) setEntry(input.value);
    else choose(quantityFrom(input.value, minimum));
  });
  // The press that makes React hydrate the page must count what was typed before.
  useLayoutEffect(() => {
    if (field.current !== null) applyEarlyEntry(field.current);
  }, []);

  return (
    <div className="QuantitySelector">
      <label className="QuantitySelector-label" htmlFor={id}>
        {text(Key.quantity)}
      </label>
      <div className="QuantitySelector-control">
        <button
          className="icon-button"
          type="button"
          aria-label={text(Key.decreaseQuantity)}
          // Not `disabled`, which would take the focus away from a keyboard user at the minimum.
          aria-disabled={quantity <= minimum}
          onClick={() => {
            choose(quantity - 1);
          }}
        >
          <Icon name="minus" size={18} />
        </button>
        <input
          ref={field}
          className="QuantitySelector-number"
          id={id}
          role="spinbutton"
          inputMode="numeric"
          autoComplete="off"
          aria-valuenow={quantity}
          aria-valuemin={minimum}
          aria-describedby={minimum > 1 ? `${id}-minimum` : undefined}
          value={entry ?? String(quantity)}
          onChange={(event) => {
            setEntry(event.target.value);
          }}
          onBlur={finishEntry}
          onKeyDown={(event) => {
            if (event.key === "Enter") finishEntry();
            if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
            event.preventDefault();
            choose(quantityFrom(entry ?? String(quantity), minimum) + (event.key === "ArrowUp" ? 1 : -1));
          }}
        />
        <button
          className="icon-button"
          type="button"
          aria-label={text(Key.increaseQuantity)}
          onClick={() => {
            choose(quantity + 1);
          }}
        >
          <Icon name="plus" size={18} />
        </button>
      </div>
      {minimum > 1 && (
        <p className="QuantitySelector-minimum" id={`${id}-minimum`}>
          {minimumTotal}
        </p>
      )}
    </div>
  );
}
