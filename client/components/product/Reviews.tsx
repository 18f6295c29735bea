import { useState } from "react";
import type { Review } from "../../contract.gen";
import { SelectField } from "../SelectField";
import { StarRating } from "../StarRating";
import { ReviewDistribution } from "./ReviewDistribution";
import { ReviewItem } from "./ReviewItem";
import { REVIEW_SORTS, sortReviews } from "./reviewOrder";
import type { ReviewSort } from "./reviewOrder";
import "./Reviews.css";

interface ReviewsProps {
  /** The product's rating, as the catalogue has it. */
  rating: number;
  reviews: readonly Review[];
}

export function Reviews({ rating, reviews }: ReviewsProps) {
  const [sort, setSort] = useState<ReviewSort>("newest");
  return (
    <section className="Reviews" aria-labelledby="reviews-title">
      <div className="Reviews-summary">
        <h2 id="reviews-title">Reviews</h2>
        <StarRating rating={rating} count={reviews.length} />
        {reviews.length > 0 && <ReviewDistribution reviews={reviews} />}
      </div>
      <div className="Reviews-main">
        {reviews.length > 1 && (
          <div className="Reviews-sort">
            <SelectField label="Sort reviews by" id="review-sort" value={sort} options={REVIEW_SORTS} onChoose={setSort} />
          </div>
        )}
        {reviews.length === 0 ? (
          <p className="Reviews-none">No reviews yet.</p>
        ) : (
          // eslint-disable-next-line jsx-a11y/no-redundant-roles -- Some screen readers drop the role from lists without bullets.
          <ul className="Reviews-list" role="list">
            {sortReviews(reviews, sort).map((review) => (
              <li key={`${review.date} ${review.reviewerName} ${review.comment}`} className="Reviews-item">
                <ReviewItem review={review} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
