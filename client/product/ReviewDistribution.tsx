import type { Review } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { List } from "../ui/List";
import { countByStars } from "./countByStars";
import "./ReviewDistribution.css";

interface ReviewDistributionProps {
  reviews: readonly Review[];
}

/** One bar for each number of stars. */
export function ReviewDistribution({ reviews }: ReviewDistributionProps) {
  return (
    <List className="ReviewDistribution" aria-label={text(Key.reviewsByRating)}>
      {countByStars(reviews).map(({ stars, count }) => (
        <li key={stars} className="ReviewDistribution-row">
          <span className="ReviewDistribution-stars">{text(Key.numberOfStars, stars)}</span>
          {/* An svg has its width in an attribute; the content security policy forbids style attributes. */}
          <svg className="ReviewDistribution-bar" aria-hidden="true">
            <rect className="ReviewDistribution-share" width={`${(count / Math.max(1, reviews.length)) * 100}%`} height="100%" />
          </svg>
          <span className="ReviewDistribution-count">
            <span>{count}</span>
            <span className="visually-hidden">{` ${text(Key.reviewsAfter, count)}`}</span>
          </span>
        </li>
      ))}
    </List>
  );
}
