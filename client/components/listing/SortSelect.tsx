import type { Sort } from "../../contract.gen";
import { FILTER_FORM_ID } from "./FilterForm";
import "./SortSelect.css";

interface SortSelectProps {
  sort: Sort | null;
  onChange: (sort: Sort | null) => void;
}

const SORTS: readonly { value: Sort; name: string }[] = [
  { value: "price-asc", name: "Price: Low to High" },
  { value: "price-desc", name: "Price: High to Low" },
  { value: "rating-desc", name: "Highest Rated" },
];

export function SortSelect({ sort, onChange }: SortSelectProps) {
  return (
    <div className="SortSelect">
      <label className="SortSelect-label" htmlFor="sort-select">
        Sort by
      </label>
      <select
        className="field SortSelect-select"
        id="sort-select"
        name="sort"
        form={FILTER_FORM_ID}
        // The browser must not refill it after a reload: the address knows the order.
        autoComplete="off"
        value={sort ?? ""}
        onChange={(event) => {
          onChange(SORTS.find(({ value }) => value === event.target.value)?.value ?? null);
        }}
      >
        <option value="">Featured</option>
        {SORTS.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <button className="button button--quiet SortSelect-apply" type="submit" form={FILTER_FORM_ID}>
        Sort
      </button>
    </div>
  );
}
