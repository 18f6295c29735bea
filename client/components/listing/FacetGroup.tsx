import { ChevronDown } from "lucide-react";
import type { Facet } from "../../contract.gen";
import { FilterGroup } from "./FilterGroup";
import { FilterOption } from "./FilterOption";
import "./FacetGroup.css";

interface FacetGroupProps {
  legend: string;
  /** Name of the URL parameter. */
  name: "category" | "brand";
  facets: readonly Facet[];
  chosen: readonly string[];
  onToggle: (value: string) => void;
}

/** The style sheet hides the choices after these, except chosen ones, until the list is unfolded. */
const SHORT_LIST = 8;

export function FacetGroup({ legend, name, facets, chosen, onToggle }: FacetGroupProps) {
  const unknown = chosen.filter((value) => !facets.some((facet) => facet.value === value));
  const isLong = facets.length > SHORT_LIST;
  return (
    <FilterGroup legend={legend}>
      {/* eslint-disable-next-line jsx-a11y/no-redundant-roles -- Some screen readers drop the role from lists without bullets. */}
      <ul className={isLong ? "FacetGroup-list FacetGroup-list--long" : "FacetGroup-list"} role="list">
        {facets.map((facet) => (
          <li key={facet.value} className="FacetGroup-item">
            <FilterOption
              type="checkbox"
              name={name}
              value={facet.value}
              count={facet.count}
              checked={chosen.includes(facet.value)}
              onPick={() => {
                onToggle(facet.value);
              }}
            >
              <bdi>{facet.name}</bdi>
            </FilterOption>
          </li>
        ))}
      </ul>
      {isLong && (
        <details className="FacetGroup-more">
          <summary className="FacetGroup-toggle">
            <span className="FacetGroup-unfold">Show all {facets.length}</span>
            <span className="FacetGroup-fold">Show fewer</span>
            <span className="visually-hidden"> {legend}</span>
            <ChevronDown className="FacetGroup-arrow" aria-hidden="true" size={16} />
          </summary>
        </details>
      )}
      {/* A choice that this listing does not have stays in the form until it is removed by its chip. */}
      {unknown.map((value) => (
        <input key={value} type="hidden" name={name} value={value} />
      ))}
    </FilterGroup>
  );
}
