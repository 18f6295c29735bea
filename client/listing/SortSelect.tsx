import type { ListingSource, Sort } from "../contract.gen";
import { SelectField } from "../ui/SelectField";
import { FILTER_FORM_ID } from "./FilterForm";
import "./SortSelect.css";

interface SortSelectProps {
  /** The kind of listing, which decides the name of its own order. */
  of: ListingSource["type"];
  sort: Sort | null;
  /** Whether products have ratings to sort by. */
  rated: boolean;
  onChange: (sort: Sort | null) => void;
}

const SORTS: readonly { value: Sort; name: string }[] = [
  { value: "price-asc", name: "Price: Low to High" },
  { value: "price-desc", name: "Price: High to Low" },
  { value: "rating-desc", name: "Highest Rated" },
];

/** The order of the products. Without JavaScript its button submits it together with the filters. */
export function SortSelect({ of, sort, rated, onChange }: SortSelectProps) {
  return (
    <div className="SortSelect">
      <SelectField
        label="Sort by"
        id="sort-select"
        name="sort"
        form={FILTER_FORM_ID}
        value={sort ?? ""}
        options={[{ value: "", name: of === "newArrivals" ? "Newest first" : "Featured" }, ...SORTS.filter(({ value }) => rated || value !== "rating-desc")]}
        onChoose={(value) => {
          onChange(value === "" ? null : value);
        }}
      />
      <button className="button button--quiet SortSelect-apply" type="submit" form={FILTER_FORM_ID}>
        Sort
      </button>
    </div>
  );
}
