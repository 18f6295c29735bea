import { useEffect, useRef, useState } from "react";
import { LoaderCircle, Plus } from "lucide-react";
import type { ProductCard as ProductCardContract } from "../contract.gen";
import "./AddButton.css";

interface AddButtonProps {
  product: ProductCardContract;
  onAdd: (product: ProductCardContract) => void;
}

const ADDING_MS = 500;

/** Shows a spinner for half a second, then calls `onAdd`. Further clicks in between are ignored. */
export function AddButton({ product, onAdd }: AddButtonProps) {
  const [adding, setAdding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );

  function add() {
    if (adding) return;
    setAdding(true);
    timer.current = setTimeout(() => {
      setAdding(false);
      onAdd(product);
    }, ADDING_MS);
  }

  return (
    // Not `disabled`, which would take the focus away from a keyboard user.
    <button type="button" className="AddButton" aria-disabled={adding} onClick={add}>
      {adding ? (
        <LoaderCircle className="AddButton-spinner" aria-hidden="true" size={18} />
      ) : (
        <Plus aria-hidden="true" size={18} />
      )}
      <span aria-live="polite">{adding ? "Adding..." : "Add"}</span>
      <span className="visually-hidden"> {product.title}</span>
    </button>
  );
}
