import { useState } from "react";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import "./TextFilter.css";

/** The page has one filter form. */
const FIELD_ID = "TextFilter-field";

interface TextFilterProps {
  /** Name of the URL parameter. */
  name: string;
  query: string;
  onChange: (query: string) => void;
}

/** A text that title or description must contain. */
export function TextFilter({ name, query, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(query);
  // The address has the trimmed text, but a space typed before the next word must not disappear.
  const entry = typed.trim() === query.trim() ? typed : query;
  return (
    <div className="TextFilter">
      <label className="visually-hidden" htmlFor={FIELD_ID}>
        {text(Key.searchWithin)}
      </label>
      <span className="TextFilter-field">
        <Icon name="search" className="TextFilter-icon" size={18} />
        <input
          className="field TextFilter-input"
          id={FIELD_ID}
          name={name}
          type="search"
          enterKeyHint="search"
          dir="auto"
          placeholder={text(Key.titleOrDescription)}
          value={entry}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(event.target.value);
          }}
        />
      </span>
    </div>
  );
}
