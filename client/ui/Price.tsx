import type { Price as PriceContract } from "../contract.gen";
import "./Price.css";

interface PriceProps {
  price: PriceContract;
  /** Cards show a compact price, the product page a large one. */
  size?: "card" | "detail";
}

export function Price({ price, size = "card" }: PriceProps) {
  return (
    <p className={`Price Price--${size}`}>
      <span className="Price-current">
        {price.from === true ? (
          <>
            <span className="Price-from">From </span>
            <span>{price.current}</span>
          </>
        ) : (
          price.current
        )}
      </span>
      {price.original !== null && (
        <s className="Price-original">
          <span className="visually-hidden">Original price </span>
          <span>{price.original}</span>
        </s>
      )}
      {price.percentOff !== null && <span className="Price-off">{`${price.percentOff}% off`}</span>}
    </p>
  );
}
