import { Icon } from "../ui/Icon";
import "./LayoutToggle.css";

interface LayoutToggleProps {
  layout: "grid" | "list";
  onChange: (layout: "grid" | "list") => void;
}

const CHOICES = [
  { value: "grid", label: "Grid view", icon: "layout-grid" },
  { value: "list", label: "List view", icon: "list" },
] as const;

export function LayoutToggle({ layout, onChange }: LayoutToggleProps) {
  return (
    <div className="LayoutToggle" role="group" aria-label="Layout">
      {CHOICES.map(({ value, label, icon }) => (
        <button
          key={value}
          type="button"
          className="LayoutToggle-choice icon-button"
          aria-label={label}
          aria-pressed={layout === value}
          onClick={() => {
            onChange(value);
          }}
        >
          <Icon name={icon} size={20} />
        </button>
      ))}
    </div>
  );
}
