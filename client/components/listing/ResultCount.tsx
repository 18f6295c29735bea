interface ResultCountProps {
  total: number;
  className?: string;
  id?: string;
}

/** Where the focus goes when the control that was used disappears with its filter. */
export const RESULT_COUNT_ID = "result-count";

/** The number of products, announced politely whenever it changes. */
export function ResultCount({ total, className, id }: ResultCountProps) {
  return (
    <p className={className} id={id} role="status" tabIndex={-1}>
      {total === 1 ? "1 product" : `${total} products`}
    </p>
  );
}

/** The page scrolls by itself, or not at all; taking the focus must not move it. */
export function focusResultCount(): void {
  document.getElementById(RESULT_COUNT_ID)?.focus({ preventScroll: true });
}
