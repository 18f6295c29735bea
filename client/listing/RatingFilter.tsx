import type { RatingFacet } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { withKeys } from "../ui/withKeys";
import { FilterGroup } from "./FilterGroup";
import { FilterOption } from "./FilterOption";
import "./RatingFilter.css";

interface RatingFilterProps {
  /** Name of the URL parameter. */
  name: string;
  facets: readonly RatingFacet[];
  /** How many products match the other filters, whatever their rating. */
  anyRating: number;
  minRating: number | null;
  onChange: (minRating: number | null) => void;
}

export function RatingFilter({ name, facets, anyRating, minRating, onChange }: RatingFilterProps) {
  function clear() {
    onChange(null);
  }
  return (
    <FilterGroup legend={text(Key.rating)}>
      {withKeys(facets, ({ stars }) => stars).map(([key, { stars, count }]) => (
        <FilterOption
          key={key}
          type="radio"
          name={name}
          value={String(stars)}
          count={count}
          isAll={count === anyRating}
          checked={minRating === stars}
          onPick={() => {
            onChange(stars);
          }}
          onClear={clear}
        >
          <span className="RatingFilter-choice">
            <svg className="RatingFilter-stars" viewBox="0 0 100 20" aria-hidden="true">
              <use className="RatingFilter-empty" href="#StarRow" />
              <svg width={stars * 20} height="20">
                <use className="RatingFilter-full" href="#StarRow" />
              </svg>
            </svg>
            <span className="visually-hidden">{text(Key.numberOfStars, stars)}</span>
            {stars < 5 && <span>{` ${text(Key.andUpAfter)}`}</span>}
          </span>
        </FilterOption>
      ))}
      <FilterOption type="radio" name={name} value="" checked={minRating === null} onPick={clear}>
        {text(Key.anyRating)}
      </FilterOption>
    </FilterGroup>
  );
}
