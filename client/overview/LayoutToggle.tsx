import { LayoutGrid, List } from "lucide-react";
import "./LayoutToggle.css";

interface LayoutToggleProps {
  layout: "grid" | "list";
  onChange: (layout: "grid" | "list") => void;
}

const CHOICES = [
  { value: "grid", label: "Grid view", Icon: LayoutGrid },
  { value: "list", label: "List view", Icon: List },
] as const;

export function LayoutToggle({ layout, onChange }: LayoutToggleProps) {
  return (
    <div className="LayoutToggle" role="group" aria-label="Layout">
      {CHOICES.map(({ value, label, Icon }) => (
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
          <Icon aria-hidden="true" size={20} />
        </button>
      ))}
    </div>
  );
}
