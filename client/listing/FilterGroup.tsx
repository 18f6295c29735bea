import type { ReactNode } from "react";
import "./FilterGroup.css";

interface FilterGroupProps {
  legend: string;
  /** What stands in the line of the legend. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One titled group of the filter form. */
export function FilterGroup({ legend, aside, children }: FilterGroupProps) {
  return (
    <fieldset className="FilterGroup">
      <legend className="FilterGroup-legend">{legend}</legend>
      {aside !== undefined && <div className="FilterGroup-aside">{aside}</div>}
      <div className="FilterGroup-body">{children}</div>
    </fieldset>
  );
}
