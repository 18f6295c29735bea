import { useId, useState } from "react";
import { Icon } from "../ui/Icon";
import "./TextFilter.css";

interface TextFilterProps {
  query: string;
  onChange: (query: string) => void;
}

/** A text that title or description must contain. */
export function TextFilter({ query, onChange }: TextFilterProps) {
  const id = useId();
  const [typed, setTyped] = useState(query);
  // The address has the trimmed text, but a space typed before the next word must not disappear.
  const text = typed.trim() === query.trim() ? typed : query;
  return (
    <div className="TextFilter">
      <label className="TextFilter-label" htmlFor={id}>
        Search within
      </label>
      <span className="TextFilter-field">
        <Icon name="search" className="TextFilter-icon" size={18} />
        <input
          className="field TextFilter-input"
          id={id}
          name="q"
          type="search"
          enterKeyHint="search"
          dir="auto"
          placeholder="Title or description"
          value={text}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(event.target.value);
          }}
        />
      </span>
    </div>
  );
}
