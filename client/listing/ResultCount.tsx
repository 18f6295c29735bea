import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
interface ResultCountProps {
  /** `null` if it is not known. */
  total: number | null;
  className?: string;
  id?: string;
}

/** The number of products, which screen readers announce when it changes. */
export function ResultCount({ total, className, id }: ResultCountProps) {
  return (
    <p className={className} id={id} role="status" tabIndex={-1}>
      {total === null ? text(Key.unknownNumber) : text(Key.numberOfProducts, total)}
    </p>
  );
}
