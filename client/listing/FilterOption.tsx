import type { ReactNode } from "react";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import "./FilterOption.css";

interface FilterOptionProps {
  type: "checkbox" | "radio";
  name: string;
  value: string;
  /** How many products the choice would show; left out for a choice that filters nothing. */
  count?: number;
  /** Set if these are all products that there are, so that the choice would change nothing. */
  isAll?: boolean;
  checked: boolean;
  onPick: () => void;
  /** Called when a chosen radio button is clicked again. */
  onClear?: () => void;
  children: ReactNode;
}

/** A check box or radio button with its label and count. The whole row is clickable. */
export function FilterOption({ type, name, value, count, isAll = false, checked, onPick, onClear, children }: FilterOptionProps) {
  const isEmpty = count === 0;
  const isEvery = isAll && count !== 0;
  const step = checked ? "" : isEmpty ? " FilterOption--empty" : isEvery ? " FilterOption--every" : "";
  return (
    <label className={`FilterOption${step}`}>
      <input
        className="FilterOption-input"
        type={type}
        name={name}
        value={value}
        checked={checked}
        onChange={onPick}
        onClick={() => {
          if (checked) onClear?.();
        }}
      />
      <span className="FilterOption-name">{children}</span>
      {count !== undefined && (
        <span className="FilterOption-count">
          <span aria-hidden="true">{isEvery ? text(Key.countAll) : count}</span>
          <span className="visually-hidden">{text(isEvery ? Key.countOfAll : Key.countOfChoice, count)}</span>
        </span>
      )}
    </label>
  );
}
