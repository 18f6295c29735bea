import { useEffect, useState } from "react";
import type { RefObject } from "react";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { useRootAttribute } from "../ui/useRootAttribute";
import { ActionButton } from "./ActionButton";
import "./BuyBar.css";

interface BuyBarProps {
  /** The button of the page, which the bar replaces while the button is out of sight. */
  button: RefObject<HTMLElement | null>;
  title: string;
  /** With the quantity, such as `3 × $18.50`. */
  price: string;
  isDone: boolean;
  onAdd: () => void;
}

/** The parts of a phone's window that the header and the bar itself cover. */
const COVERED = "-96px 0px -72px";

/** Price and button at the bottom of a narrow window. */
export function BuyBar({ button, title, price, isDone, onAdd }: BuyBarProps) {
  // Undefined until the bar is needed for the first time; the server's markup never has it.
  const [isNeeded, setNeeded] = useState<boolean>();

  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const isOutOfSight = entries.at(-1)?.isIntersecting === false;
        const isFirst = isOutOfSight && matchMedia("(max-width: 47.99rem)").matches;
        setNeeded((before) => (isFirst || before !== undefined ? isOutOfSight : undefined));
      },
      { rootMargin: COVERED },
    );
    if (button.current !== null) observer.observe(button.current);
    return () => {
      observer.disconnect();
    };
  }, [button]);

  useRootAttribute("data-buy-bar", isNeeded !== undefined);
  if (isNeeded === undefined) return null;
  return (
    <div className={isNeeded ? "BuyBar" : "BuyBar BuyBar--away"}>
      <p className="BuyBar-product">
        <span className="BuyBar-title" dir="auto">
          {isDone ? text(Key.notedNoCart) : title}
        </span>
        <span className="BuyBar-price">{price}</span>
      </p>
      <ActionButton className="button--primary" name={text(Key.addToCart)} icon="shopping-bag" isDone={isDone} onPress={onAdd} />
    </div>
  );
}
