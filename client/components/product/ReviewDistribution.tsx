import type { Review } from "../../contract.gen";
import { countByStars } from "./reviewOrder";
import "./ReviewDistribution.css";

interface ReviewDistributionProps {
  reviews: readonly Review[];
}

/** One bar per number of stars, over the reviews shown. */
export function ReviewDistribution({ reviews }: ReviewDistributionProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-redundant-roles -- Some screen readers drop the role from lists without bullets.
    <ul className="ReviewDistribution" role="list" aria-label="Reviews by rating">
      {countByStars(reviews).map(({ stars, count }) => (
        <li key={stars} className="ReviewDistribution-row">
          <span className="ReviewDistribution-stars">{stars === 1 ? "1 star" : `${stars} stars`}</span>
          {/* A drawn bar takes its length as an attribute, which no content policy forbids. */}
          <svg className="ReviewDistribution-bar" aria-hidden="true">
            <rect className="ReviewDistribution-share" width={`${(count / Math.max(1, reviews.length)) * 100}%`} height="100%" />
          </svg>
          <span className="ReviewDistribution-count">
            {count}
            <span className="visually-hidden"> {count === 1 ? "review" : "reviews"}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
