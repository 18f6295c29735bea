import { useRef } from "react";
import { pageHref } from "../navigation/addresses";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { Icon } from "../ui/Icon";
import { useEntryBeforeHydration } from "../ui/useEntryBeforeHydration";
import "./CategoryFilter.css";

interface CategoryFilterProps {
  text: string;
  onChange: (text: string) => void;
}

/** A GET form for pages without JavaScript. With JavaScript, each keystroke filters, and the button is hidden. */
export function CategoryFilter({ text: typed, onChange }: CategoryFilterProps) {
  const field = useRef<HTMLInputElement>(null);
  useEntryBeforeHydration(field, typed, onChange);
  return (
    <form
      className="CategoryFilter"
      action={pageHref("/categories")}
      method="get"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <Icon name="search" className="CategoryFilter-icon" size={20} />
      <input
        ref={field}
        className="CategoryFilter-input field"
        type="search"
        name="q"
        value={typed}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        placeholder={text(Key.filterCategories)}
        aria-label={text(Key.filterCategories)}
        autoComplete="off"
      />
      <button type="submit" className="CategoryFilter-submit button button--quiet">
        {text(Key.filter)}
      </button>
    </form>
  );
}
