import type { Rating } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import "./StarRating.css";

interface StarRatingProps {
  rating: Rating;
  /** Number of reviews; left out where it is not known. */
  count?: number;
}

/** Five stars filled to the rating, with the number beside them. */
export function StarRating({ rating, count }: StarRatingProps) {
  const label = text(Key.ratedOutOf5, rating.text);
  return (
    <span className="StarRating">
      <svg className="StarRating-stars" viewBox="0 0 100 20" role="img" aria-label={label}>
        <use className="StarRating-empty" href="#StarRow" />
        {/* The inner svg clips the filled stars at the rating. */}
        <svg width={Math.round(rating.value * 20)} height="20">
          <use className="StarRating-full" href="#StarRow" />
        </svg>
      </svg>
      <span className="StarRating-number" aria-hidden="true">
        {rating.text}
      </span>
      {count !== undefined && (
        <span className="StarRating-count">{text(Key.numberOfReviews, count)}</span>
      )}
    </span>
  );
}
