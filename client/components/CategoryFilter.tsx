import { Search } from "lucide-react";
import "./CategoryFilter.css";

interface CategoryFilterProps {
  text: string;
  onChange: (text: string) => void;
}

/** A GET form for the host; with JavaScript every letter filters at once and the button is not needed. */
export function CategoryFilter({ text, onChange }: CategoryFilterProps) {
  return (
    <form
      className="CategoryFilter"
      action="/categories"
      method="get"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <Search className="CategoryFilter-icon" aria-hidden="true" size={20} />
      <input
        className="CategoryFilter-input field"
        type="search"
        name="q"
        value={text}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        placeholder="Filter categories"
        aria-label="Filter categories"
        autoComplete="off"
      />
      <button type="submit" className="CategoryFilter-submit button button--quiet">
        Filter
      </button>
    </form>
  );
}
