import type { Ref } from "react";
import { Icon } from "../ui/Icon";
import type { IconName } from "../ui/iconNames";

interface ActionButtonProps {
  ref?: Ref<HTMLButtonElement>;
  className: string;
  name: string;
  icon: IconName;
  /** Whether this action was the last one; a check mark says so. */
  isDone: boolean;
  /** Set for what is switched on and off. */
  pressed?: boolean | undefined;
  onPress: () => void;
}

export function ActionButton({ ref, className, name, icon, isDone, pressed, onPress }: ActionButtonProps) {
  return (
    <button ref={ref} className={`button ${className}`} type="button" aria-pressed={pressed} onClick={onPress}>
      <Icon name={isDone ? "check" : icon} size={20} />
      <span>{name}</span>
    </button>
  );
}
