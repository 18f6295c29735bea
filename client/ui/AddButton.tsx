import { useEffect, useRef, useState } from "react";
import type { ProductCard as ProductCardContract } from "../contract.gen";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { announce } from "./announce";
import { Icon } from "./Icon";
import "./AddButton.css";

interface AddButtonProps {
  product: ProductCardContract;
  onAdd: (product: ProductCardContract) => void;
}

const ADDING_MS = 500;
/** For how long the button has a check mark afterwards. */
const ADDED_MS = 2000;

type State = "idle" | "adding" | "added";

const ICONS = { idle: "plus", adding: "loader-circle", added: "check" } as const;

/** Shows a spinner for half a second, then calls `onAdd`. Further clicks in between are ignored. */
export function AddButton({ product, onAdd }: AddButtonProps) {
  const [state, setState] = useState<State>("idle");
  const adding = state === "adding";
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const clearAnnounced = useRef<() => void>(undefined);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearAnnounced.current?.();
    },
    [],
  );

  function add() {
    if (adding) return;
    clearTimeout(timer.current);
    setState("adding");
    clearAnnounced.current = announce(`${text(Key.adding)} ${product.title}`);
    timer.current = setTimeout(() => {
      setState("added");
      clearAnnounced.current?.();
      timer.current = setTimeout(() => {
        setState("idle");
      }, ADDED_MS);
      onAdd(product);
    }, ADDING_MS);
  }

  return (
    // Not `disabled`, which would take the focus away from a keyboard user.
    <button type="button" className={`AddButton AddButton--${state}`} aria-disabled={adding} onClick={add}>
      <Icon name={ICONS[state]} className="AddButton-icon" size={18} />
      <span>{adding ? text(Key.adding) : text(Key.add)}</span>
      <span className="visually-hidden">{` ${product.title}`}</span>
    </button>
  );
}
