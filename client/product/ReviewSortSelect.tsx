import { SelectField } from "../ui/SelectField";
import { REVIEW_SORTS } from "./reviewOrder";
import type { ReviewSort } from "./reviewOrder";

interface ReviewSortSelectProps {
  sort: ReviewSort;
  onChoose: (sort: ReviewSort) => void;
}

export function ReviewSortSelect({ sort, onChoose }: ReviewSortSelectProps) {
  return (
    <div className="Reviews-sort">
      <SelectField label="Sort reviews by" id="review-sort" value={sort} options={REVIEW_SORTS} onChoose={onChoose} />
    </div>
  );
}
