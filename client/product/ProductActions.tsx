import { useRef, useState } from "react";
import type { ProductDetail } from "../contract.gen";
import { usePageRouter } from "../navigation/usePageRouter";
import { language, text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { toggleSaved, useSaved } from "../ui/savedProducts";
import { ActionButton } from "./ActionButton";
import { BuyBar } from "./BuyBar";
import { QuantitySelector } from "./QuantitySelector";
import { priceLine } from "./priceLine";
import { share } from "./share";
import "./ProductActions.css";

interface ProductActionsProps {
  product: ProductDetail;
}

type Action = "add" | "save" | "share";

/**
 * The quantity and three buttons, which only log: the sample shop has no cart and no accounts. With `noCart` there is no
 * quantity and no "Add to Cart". In shops of the operator's own products, "Save" and "Share" do what they say.
 */
export function ProductActions({ product }: ProductActionsProps) {
  const { title, price, minimumOrderTotal, noCart = false } = product;
  const { own = false, saves = false } = usePageRouter().shop;
  const isSaved = useSaved().some(({ id }) => id === product.id);
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

  function save() {
    if (saves) {
      note("save", toggleSaved(product) && !isSaved ? text(Key.savedHere) : "");
      return;
    }
    console.log("Save:", title);
    note("save", text(Key.notedNoList));
  }

  function shareIt() {
    if (own) {
      void share(title).then((said) => {
        note("share", said);
      });
      return;
    }
    console.log("Share:", title);
    note("share", text(Key.notedNotShared));
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
          {(saves || !own) && (
            <ActionButton
              className="button--quiet"
              name={text(Key.save)}
              icon={saves ? "heart" : "bookmark"}
              isDone={!saves && done?.action === "save"}
              pressed={saves ? isSaved : undefined}
              onPress={save}
            />
          )}
          <ActionButton
            className="button--quiet"
            name={text(Key.share)}
            icon="share-2"
            isDone={!own && done?.action === "share"}
            onPress={shareIt}
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
