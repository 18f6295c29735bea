import type { ReactElement } from "react";
import type { ListingSource, Sort } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
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
  /** What stands beside it. */
  children?: ReactElement | false | undefined;
}

const SORTS: readonly { value: Sort; name: Key.priceUp | Key.priceDown | Key.ratedBest }[] = [
  { value: "price-asc", name: Key.priceUp },
  { value: "price-desc", name: Key.priceDown },
  { value: "rating-desc", name: Key.ratedBest },
];

/** The order of the products. Without JavaScript its button submits it together with the filters. */
export function SortSelect({ of, sort, rated, onChange, children }: SortSelectProps) {
  return (
    <div className="SortSelect">
      <SelectField
        label={text(Key.sortBy)}
        id="sort-select"
        name="sort"
        form={FILTER_FORM_ID}
        value={sort ?? ""}
        options={[
          { value: "", name: text(of === "newArrivals" ? Key.newestFirst : Key.featured) },
          ...SORTS.filter(({ value }) => rated || value !== "rating-desc").map(({ value, name }) => ({ value, name: text(name) })),
        ]}
        onChoose={(value) => {
          onChange(value === "" ? null : value);
        }}
      />
      <button className="button button--quiet SortSelect-apply" type="submit" form={FILTER_FORM_ID}>
        {text(Key.sort)}
      </button>
      {children}
    </div>
  );
}
