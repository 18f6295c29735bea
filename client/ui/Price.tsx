import type { Price as PriceContract } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
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
          <From price={price.current} />
        ) : (
          price.current
        )}
      </span>
      {price.original !== null && (
        <s className="Price-original">
          <span className="visually-hidden">{`${text(Key.originalPriceBefore)} `}</span>
          <span>{price.original}</span>
        </s>
      )}
      {price.percentOff !== null && <span className="Price-off">{text(Key.percentOff, price.percentOff)}</span>}
      {size === "detail" && price.originalNote !== undefined && <span className="Price-from">{price.originalNote}</span>}
      {price.unit !== undefined && <span className="Price-unit">{price.unit}</span>}
    </p>
  );
}

/** The words stand before or after the price, as the language has it. */
function From({ price }: { price: string }) {
  const [before, after] = text(Key.fromPrice, "\n").split("\n");
  return (
    <>
      {before !== "" && <span className="Price-from">{before}</span>}
      <span>{price}</span>
      {after !== "" && <span className="Price-from">{after}</span>}
    </>
  );
}
