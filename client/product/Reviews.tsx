import { useState } from "react";
import type { Rating, Review } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { List } from "../ui/List";
import { StarRating } from "../ui/StarRating";
import { withKeys } from "../ui/withKeys";
import { ReviewDistribution } from "./ReviewDistribution";
import { ReviewItem } from "./ReviewItem";
import { sortReviews } from "./reviewOrder";
import type { ReviewSort } from "./reviewOrder";
import { ReviewSortSelect } from "./ReviewSortSelect";
import "./Reviews.css";

/** The id of the section that the number of reviews links to. */
export const REVIEWS_ID = "reviews";

interface ReviewsProps {
  /** The product's rating in the catalogue, which is not computed from the reviews. */
  rating: Rating | null;
  reviews: readonly Review[];
}

export function Reviews({ rating, reviews }: ReviewsProps) {
  const [sort, setSort] = useState<ReviewSort>("newest");
  return (
    <section className="Reviews" id={REVIEWS_ID} tabIndex={-1} aria-labelledby="reviews-title">
      <div className="Reviews-summary">
        <h2 id="reviews-title">{text(Key.reviews)}</h2>
        {rating !== null && (
          <div className="Reviews-score">
            <span className="Reviews-average" aria-hidden="true">
              {rating.text}
            </span>
            <StarRating rating={rating} count={reviews.length} />
          </div>
        )}
        {reviews.length > 0 && <ReviewDistribution reviews={reviews} />}
      </div>
      <div>
        {reviews.length > 1 && <ReviewSortSelect sort={sort} onChoose={setSort} />}
        {reviews.length === 0 ? (
          <p className="Reviews-none">{text(Key.noReviews)}</p>
        ) : (
          <List className="Reviews-list">
            {withKeys(sortReviews(reviews, sort), JSON.stringify).map(([key, review]) => (
              <li key={key} className="Reviews-item">
                <ReviewItem review={review} />
              </li>
            ))}
          </List>
        )}
      </div>
    </section>
  );
}
