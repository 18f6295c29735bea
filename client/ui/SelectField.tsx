import type { ComponentPropsWithRef } from "react";
import { Icon } from "./Icon";
import "./SelectField.css";

interface SelectFieldProps<Value extends string> extends Omit<ComponentPropsWithRef<"select">, "onChange"> {
  label: string;
  id: string;
  value: Value;
  options: readonly { value: Value; name: string }[];
  onChoose: (value: Value) => void;
}

/** A labelled native select with the shop's own arrow. */
export function SelectField<Value extends string>({ label, id, options, onChoose, ...attributes }: SelectFieldProps<Value>) {
  return (
    <span className="SelectField">
      <label className="SelectField-label" htmlFor={id}>
        {label}
      </label>
      <span className="SelectField-box">
        <select
          {...attributes}
          className="field SelectField-select"
          id={id}
          // Otherwise a browser may restore another choice after a reload than the page shows.
          autoComplete="off"
          onChange={(event) => {
            const chosen = options.find(({ value }) => value === event.target.value);
            if (chosen !== undefined) onChoose(chosen.value);
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
