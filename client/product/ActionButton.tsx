import { Check } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { Ref } from "react";

interface ActionButtonProps {
  ref?: Ref<HTMLButtonElement>;
  className: string;
  name: string;
  Icon: LucideIcon;
  /** Whether this action was the last one; a check mark says so. */
  isDone: boolean;
  onPress: () => void;
}

export function ActionButton({ ref, className, name, Icon, isDone, onPress }: ActionButtonProps) {
  const Sign = isDone ? Check : Icon;
  return (
    <button ref={ref} className={`button ${className}`} type="button" onClick={onPress}>
      <Sign aria-hidden="true" size={20} />
      {name}
    </button>
  );
}
