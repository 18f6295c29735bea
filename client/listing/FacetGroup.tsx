import { memo, useRef, useState } from "react";
import type { Choice, Parameter } from "../contract.gen";
import { pageHref } from "../navigation/addresses";
import { only } from "../navigation/filterUrl";
import { foldText } from "../navigation/foldText";
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
  /** At first the host sends this many choices of a long group. */
  atFirst: number;
  /** Set for choices in an order of their own, such as sizes. */
  isScale: boolean;
  chosen: readonly string[];
  onChange: ChangeFilters;
}

/** A group with more choices than this has a search field when it is unfolded. */
const READ_AT_A_GLANCE = 12;

/** The style sheet collapses longer lists to this many choices and the chosen ones. */
const COLLAPSED_LENGTH = 5;

/** Memoised, because a change of another filter is shown before the host has counted again. */
export const FacetGroup = memo(function FacetGroup({ legend, name, facets, chosen, onChange, ...further }: FacetGroupProps) {
  const { hidden, longer, longerHref, every, atFirst, isScale } = further;
  const title = text(legend);
  const toggle = useRef<HTMLElement>(null);
  const { ordered, handlers } = useChoiceOrder(facets, chosen, isScale);
  const [unfolded, setUnfolded] = useState(false);
  const [typed, setTyped] = useState("");
  const isSearched = unfolded && facets.length > READ_AT_A_GLANCE;
  const wanted = isSearched ? foldText(typed) : "";
  const shown = wanted === "" ? ordered : ordered.filter(({ value, name = value }) => foldText(name).includes(wanted));
  const unknown = chosen.filter((value) => !facets.some((facet) => facet.value === value));
  const isLong = facets.length > COLLAPSED_LENGTH;
  const more = isLong ? (
    <details
      className="FacetGroup-more"
      open={longer && facets.length > atFirst}
      onToggle={({ currentTarget }) => {
        setUnfolded(currentTarget.open);
      }}
    >
      <Toggle ref={toggle}>
        <span className="FacetGroup-unfold">{text(hidden === 0 ? Key.showAll : Key.showSome, facets.length)}</span>
        <span className="FacetGroup-fold">{text(Key.showFewer)}</span>
        <span className="visually-hidden">{` ${title}`}</span>
      </Toggle>
    </details>
  ) : undefined;
  return (
    <FilterGroup legend={title} aside={more}>
      {isSearched && (
        <input
          className="field FacetGroup-search"
          type="search"
          dir="auto"
          autoComplete="off"
          aria-label={text(Key.searchChoices, title)}
          placeholder={text(Key.searchChoices, title)}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
          }}
        />
      )}
      <List className={isLong ? `FacetGroup-list FacetGroup-list--long FacetGroup-list--${name}` : "FacetGroup-list"} {...handlers}>
        {withKeys(shown, ({ value }) => value).map(([key, facet]) => (
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
