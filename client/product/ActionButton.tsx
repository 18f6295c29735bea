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
  onPress: () => void;
}

export function ActionButton({ ref, className, name, icon, isDone, onPress }: ActionButtonProps) {
  return (
    <button ref={ref} className={`button ${className}`} type="button" onClick={onPress}>
      <Icon name={isDone ? "check" : icon} size={20} />
      <span>{name}</span>
    </button>
  );
}
