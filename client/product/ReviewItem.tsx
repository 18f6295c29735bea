import type { Review } from "../contract.gen";
import { StarRating } from "../ui/StarRating";
import "./ReviewItem.css";

interface ReviewItemProps {
  review: Review;
}

export function ReviewItem({ review }: ReviewItemProps) {
  return (
    <article className="ReviewItem">
      <div className="ReviewItem-head">
        <h3 className="ReviewItem-name">
          <bdi>{review.reviewerName}</bdi>
        </h3>
        <time className="ReviewItem-date" dateTime={review.date}>
          {review.dateText}
        </time>
      </div>
      <StarRating rating={{ value: review.rating, text: review.ratingText }} />
      <p className="ReviewItem-comment" dir="auto">
        {review.comment}
      </p>
    </article>
  );
}
