import { memo, useRef } from "react";
import type { Choice, Parameter } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { only } from "../navigation/filterUrl";
import { Link } from "../navigation/Link";
import type { PagePath } from "../navigation/routes";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { List } from "../ui/List";
import { Toggle } from "../ui/Toggle";
import { withKeys } from "../ui/withKeys";
import { FilterGroup } from "./FilterGroup";
import { FilterLink } from "./FilterLink";
import { FilterOption } from "./FilterOption";
import { toggled } from "./toggled";
import { useChoiceOrder } from "./useChoiceOrder";
import type { ChangeFilters } from "./useListingFilters";
import "./FacetGroup.css";

interface FacetGroupProps {
  legend: Key;
  /** Name of the URL parameter. */
  name: Parameter<"choice">;
  facets: readonly Choice[];
  /** How many more choices there are, which have fewer products. */
  hidden: number;
  /** Set when the visitor has asked for more choices. */
  longer: boolean;
  /** The address of the listing with more choices, if there are any. */
  longerHref: string | undefined;
  /** The page that lists every choice, and the text of a link to it, if there is one. */
  every: readonly [href: PagePath, text: Key] | undefined;
  chosen: readonly string[];
  onChange: ChangeFilters;
}

/** At first the host sends this many choices of a long group (`host/pages/shown_facets.rs`). */
const SENT_AT_FIRST = 100;

/** The style sheet collapses longer lists to this many choices and the chosen ones. */
const COLLAPSED_LENGTH = 5;

/** Memoised, because a change of another filter is shown before the host has counted again. */
export const FacetGroup = memo(function FacetGroup({ legend, name, facets, chosen, onChange, ...further }: FacetGroupProps) {
  const { hidden, longer, longerHref, every } = further;
  const title = text(legend);
  const toggle = useRef<HTMLElement>(null);
  const { ordered, handlers } = useChoiceOrder(facets, chosen);
  const unknown = chosen.filter((value) => !facets.some((facet) => facet.value === value));
  const isLong = facets.length > COLLAPSED_LENGTH;
  const more = isLong ? (
    <details className="FacetGroup-more" open={longer && facets.length > SENT_AT_FIRST}>
      <Toggle ref={toggle}>
        <span className="FacetGroup-unfold">{text(hidden === 0 ? Key.showAll : Key.showSome, facets.length)}</span>
        <span className="FacetGroup-fold">{text(Key.showFewer)}</span>
        <span className="visually-hidden">{` ${title}`}</span>
      </Toggle>
    </details>
  ) : undefined;
  return (
    <FilterGroup legend={title} aside={more}>
      <List className={isLong ? `FacetGroup-list FacetGroup-list--long FacetGroup-list--${name}` : "FacetGroup-list"} {...handlers}>
        {withKeys(ordered, ({ value }) => value).map(([key, facet]) => (
          <li key={key} className="FacetGroup-item">
            <FilterOption
              type="checkbox"
              name={name}
              value={facet.value}
              count={facet.count}
              checked={chosen.includes(facet.value)}
              onPick={() => {
                onChange(only(name, toggled(chosen, facet.value)));
              }}
            >
              <bdi>{facet.name ?? facet.value}</bdi>
            </FilterOption>
          </li>
        ))}
      </List>
      {longerHref !== undefined &&
        (longer ? (
          every !== undefined && (
            <Link className="FacetGroup-further" to={pageHref(every[0])}>
              {text(every[1])}
            </Link>
          )
        ) : (
          <FilterLink
            className="FacetGroup-further"
            to={longerHref}
            rel="nofollow"
            onFollow={() => {
              // This link disappears, and must not take the focus with it.
              toggle.current?.focus();
              onChange({ facets: "all" });
            }}
          >
            <span>{text(Key.showMoreOf, facets.length + hidden)}</span>
            <span className="visually-hidden">{` ${title}`}</span>
          </FilterLink>
        ))}
      {/* A choice that does not occur in this listing stays in the form until its chip removes it. */}
      {withKeys(unknown, (value) => value).map(([key, value]) => (
        <input key={key} type="hidden" name={name} value={value} />
      ))}
    </FilterGroup>
  );
});
