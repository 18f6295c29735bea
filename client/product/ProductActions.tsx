import { useRef, useState } from "react";
import type { ProductDetail } from "../contract.gen";
import { language, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { ActionButton } from "./ActionButton";
import { BuyBar } from "./BuyBar";
import { QuantitySelector } from "./QuantitySelector";
import { priceLine } from "./priceLine";
import "./ProductActions.css";

interface ProductActionsProps {
  product: ProductDetail;
}

type Action = "add" | "save" | "share";

/** The quantity and three buttons, which only log: the sample shop has no cart and no accounts. With `noCart` there is no quantity and no "Add to Cart". */
export function ProductActions({ product }: ProductActionsProps) {
  const { title, price, minimumOrderTotal, noCart = false } = product;
  const minimum = Math.max(1, product.minimumOrderQuantity);
  const [quantity, setQuantity] = useState(minimum);
  const [done, setDone] = useState<{ action: Action; note: string; count: number } | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);

  function note(action: Action, words: string) {
    setDone({ action, note: words, count: (done?.count ?? 0) + 1 });
  }
  function add() {
    console.log("Add to cart:", title, quantity);
    note("add", text(Key.notedQuantity, quantity));
  }

  return (
    <>
      <div className="ProductActions" lang={language}>
        {!noCart && (
          <div className="ProductActions-buy">
            <QuantitySelector quantity={quantity} minimum={minimum} minimumTotal={text(price.from === true ? Key.minimumOrderFrom : Key.minimumOrder, minimum, minimumOrderTotal)} onChange={setQuantity} />
            <ActionButton
              ref={addButton}
              className="button--primary ProductActions-add"
              name={text(Key.addToCart)}
              icon="shopping-bag"
              isDone={done?.action === "add"}
              onPress={add}
            />
          </div>
        )}
        <div className="ProductActions-others">
          <ActionButton
            className="button--quiet"
            name={text(Key.save)}
            icon="bookmark"
            isDone={done?.action === "save"}
            onPress={() => {
              console.log("Save:", title);
              note("save", text(Key.notedNoList));
            }}
          />
          <ActionButton
            className="button--quiet"
            name={text(Key.share)}
            icon="share-2"
            isDone={done?.action === "share"}
            onPress={() => {
              console.log("Share:", title);
              note("share", text(Key.notedNotShared));
            }}
          />
        </div>
        <p className="ProductActions-status" role="status">
          {/* The key makes the same words a new message, which is announced again. */}
          {done !== null && <span key={done.count}>{done.note}</span>}
        </p>
      </div>
      {!noCart && (
        <BuyBar
          button={addButton}
          title={title}
          price={priceLine(price, quantity)}
          isDone={done?.action === "add"}
          onAdd={add}
        />
      )}
    </>
  );
}
