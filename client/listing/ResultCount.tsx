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
      {total === 1 ? "1 product" : `${total ?? "Unknown number of"} products`}
    </p>
  );
}
