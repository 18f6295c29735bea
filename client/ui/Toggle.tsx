import type { ReactNode, Ref } from "react";
import { Icon } from "./Icon";
import "./Toggle.css";

interface ToggleProps {
  /** One element for each text. */
  children: ReactNode;
  ref?: Ref<HTMLElement>;
}

/** The summary of a `details` element whose content stands below it. */
export function Toggle({ children, ref }: ToggleProps) {
  return (
    <summary ref={ref} className="Toggle">
      <span>{children}</span>
      <Icon name="chevron-down" className="Toggle-arrow" size={16} />
    </summary>
  );
}
