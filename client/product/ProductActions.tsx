import { useRef, useState } from "react";
import type { ProductDetail } from "../contract.gen";
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

  function note(action: Action, text: string) {
    setDone({ action, note: text, count: (done?.count ?? 0) + 1 });
  }
  function add() {
    console.log("Add to cart:", title, quantity);
    note("add", `Noted: quantity ${quantity}. This shop has no cart.`);
  }

  return (
    <>
      <div className="ProductActions">
        {!noCart && (
          <div className="ProductActions-buy">
            <QuantitySelector quantity={quantity} minimum={minimum} minimumTotal={price.from === true ? `from ${minimumOrderTotal}` : minimumOrderTotal} onChange={setQuantity} />
            <ActionButton
              ref={addButton}
              className="button--primary ProductActions-add"
              name="Add to Cart"
              icon="shopping-bag"
              isDone={done?.action === "add"}
              onPress={add}
            />
          </div>
        )}
        <div className="ProductActions-others">
          <ActionButton
            className="button--quiet"
            name="Save"
            icon="bookmark"
            isDone={done?.action === "save"}
            onPress={() => {
              console.log("Save:", title);
              note("save", "Noted. This shop keeps no list.");
            }}
          />
          <ActionButton
            className="button--quiet"
            name="Share"
            icon="share-2"
            isDone={done?.action === "share"}
            onPress={() => {
              console.log("Share:", title);
              note("share", "Noted. This shop shares nothing.");
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
