import type { ComponentPropsWithRef } from "react";

interface ButtonLinkProps extends Omit<ComponentPropsWithRef<"a">, "role" | "onClick" | "onKeyDown"> {
  /** The target of the link without JavaScript. */
  href: string;
  onPress: () => void;
}

/** A button that is an ordinary link until the page is hydrated, or without JavaScript. */
export function ButtonLink({ onPress, children, ...attributes }: ButtonLinkProps) {
  return (
    <a
      tabIndex={0}
      {...attributes}
      role="button"
      draggable={false}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onPress();
      }}
      onKeyDown={(event) => {
        if (event.key !== " ") return;
        event.preventDefault();
        onPress();
      }}
    >
      {children}
    </a>
  );
}
