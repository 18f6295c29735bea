import type { IconName } from "./iconNames";
import "./Icon.css";

interface IconProps {
  name: IconName;
  /** Width and height in CSS pixels. */
  size?: number;
  className?: string;
}

/** A decorative icon of the document's sprite. A text stands beside it, or its control has a label. */
export function Icon({ name, size = 24, className }: IconProps) {
  return (
    <svg className={className === undefined ? "Icon" : `Icon ${className}`} width={size} height={size} aria-hidden="true">
      <use href={`#icon-${name}`} />
    </svg>
  );
}
