import { useRef } from "react";
import type { Facet } from "../contract.gen";
import { Link } from "../navigation/Link";
import { Icon } from "../ui/Icon";
import { List } from "../ui/List";
import { FilterGroup } from "./FilterGroup";
import { FilterLink } from "./FilterLink";
import { FilterOption } from "./FilterOption";
import "./FacetGroup.css";

interface FacetGroupProps {
  legend: string;
  /** Name of the URL parameter. */
  name: "category" | "brand";
  facets: readonly Facet[];
  /** How many more choices there are, which have fewer products. */
  hidden: number;
  /** Set when the visitor has asked for more choices. */
  longer: boolean;
  /** The address of the listing with more choices. */
  longerHref: string;
  onLonger: () => void;
  /** The page that lists every choice. */
  everyHref: string;
  chosen: readonly string[];
  onToggle: (value: string) => void;
}

/** At first the host sends this many choices of a long group (`host/pages/shown_facets.rs`). */
const SENT_AT_FIRST = 100;

/** The style sheet collapses longer lists to this many choices and the chosen ones. */
const COLLAPSED_LENGTH = 8;

export function FacetGroup({ legend, name, facets, chosen, onToggle, ...further }: FacetGroupProps) {
  const { hidden, longer, longerHref, onLonger, everyHref } = further;
  const toggle = useRef<HTMLElement>(null);
  const unknown = chosen.filter((value) => !facets.some((facet) => facet.value === value));
  const isLong = facets.length > COLLAPSED_LENGTH;
  return (
    <FilterGroup legend={legend}>
      <List className={isLong ? "FacetGroup-list FacetGroup-list--long" : "FacetGroup-list"}>
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
      </List>
      {isLong && (
        <details className="FacetGroup-more" open={longer && facets.length > SENT_AT_FIRST}>
          <summary ref={toggle} className="FacetGroup-toggle">
            <span className="FacetGroup-unfold">
              {hidden === 0 ? "Show all " : "Show "}
              {facets.length}
            </span>
            <span className="FacetGroup-fold">Show fewer</span>
            <span className="visually-hidden"> {legend}</span>
            <Icon name="chevron-down" className="FacetGroup-arrow" size={16} />
          </summary>
          {hidden > 0 && !longer && (
            <FilterLink
              className="FacetGroup-further"
              to={longerHref}
              rel="nofollow"
              onFollow={() => {
                // This link disappears, and must not take the focus with it.
                toggle.current?.focus();
                onLonger();
              }}
            >
              Show more of {facets.length + hidden}
              <span className="visually-hidden"> {legend}</span>
            </FilterLink>
          )}
          {hidden > 0 && longer && (
            <Link className="FacetGroup-further" to={everyHref}>
              All {legend.toLowerCase()} of the shop
            </Link>
          )}
        </details>
      )}
      {/* A choice that does not occur in this listing stays in the form until its chip removes it. */}
      {unknown.map((value) => (
        <input key={value} type="hidden" name={name} value={value} />
      ))}
    </FilterGroup>
  );
}
