import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "./Icon";
import "./LayoutToggle.css";

interface LayoutToggleProps {
  layout: "grid" | "list";
  onChange: (layout: "grid" | "list") => void;
}

const CHOICES = [
  { value: "grid", label: Key.gridView, icon: "layout-grid" },
  { value: "list", label: Key.listView, icon: "list" },
] as const;

export function LayoutToggle({ layout, onChange }: LayoutToggleProps) {
  return (
    <div className="LayoutToggle" role="group" aria-label={text(Key.layout)}>
      {CHOICES.map(({ value, label, icon }) => (
        <button
          key={value}
          type="button"
          className="LayoutToggle-choice icon-button"
          aria-label={text(label)}
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
