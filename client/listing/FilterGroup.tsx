import type { ReactNode } from "react";
import "./FilterGroup.css";

interface FilterGroupProps {
  legend: string;
  children: ReactNode;
}

/** One titled group of the filter form. */
export function FilterGroup({ legend, children }: FilterGroupProps) {
  return (
    <fieldset className="FilterGroup">
      <legend className="FilterGroup-legend">{legend}</legend>
      <div className="FilterGroup-body">{children}</div>
    </fieldset>
  );
}
