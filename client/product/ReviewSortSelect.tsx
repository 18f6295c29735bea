import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
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
      <SelectField label={text(Key.sortReviewsBy)} id="review-sort" value={sort} options={REVIEW_SORTS.map(({ value, name }) => ({ value, name: text(name) }))} onChoose={onChoose} />
    </div>
  );
}
