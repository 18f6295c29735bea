import type { ComponentPropsWithRef } from "react";

interface ListProps extends Omit<ComponentPropsWithRef<"ul">, "role" | "className"> {
  className: string;
}

/**
 * An unordered list that names its own role. Safari does not announce a list without bullets as
 * one, unless it stands in a `nav` or has the role.
 */
export function List({ className, children, ...attributes }: ListProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-redundant-roles -- Redundant in the standard, needed by Safari.
    <ul className={className} role="list" {...attributes}>
      {children}
    </ul>
  );
}
