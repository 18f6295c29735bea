import { useRef } from "react";
import type { ComponentProps } from "react";
import { Icon } from "./Icon";
import { useEntryBeforeHydration } from "./useEntryBeforeHydration";
import "./SelectField.css";

interface SelectFieldProps<Value extends string> extends Omit<ComponentProps<"select">, "onChange" | "ref"> {
  label: string;
  id: string;
  value: Value;
  options: readonly { value: Value; name: string }[];
  onChoose: (value: Value) => void;
}

/** A labelled native select with the shop's own arrow. */
export function SelectField<Value extends string>({ label, id, options, onChoose, ...attributes }: SelectFieldProps<Value>) {
  const select = useRef<HTMLSelectElement>(null);

  function choose(chosen: string) {
    const option = options.find(({ value }) => value === chosen);
    if (option !== undefined) onChoose(option.value);
  }
  useEntryBeforeHydration(select, attributes.value, choose);

  return (
    <span className="SelectField">
      <label className="SelectField-label" htmlFor={id}>
        {label}
      </label>
      <span className="SelectField-box">
        <select
          {...attributes}
          ref={select}
          className="field SelectField-select"
          id={id}
          // Otherwise a browser may restore another choice after a reload than the page shows.
          autoComplete="off"
          onChange={(event) => {
            choose(event.target.value);
          }}
        >
          {options.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" className="SelectField-arrow" size={18} />
      </span>
    </span>
  );
}
