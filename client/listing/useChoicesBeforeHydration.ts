import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";
import type { Facets, Filters } from "../contract.gen";
import { readFilterForm } from "./readFilterForm";

function isTouched(control: Element): control is HTMLInputElement {
  if (!(control instanceof HTMLInputElement) || control.name === "") return false;
  return control.checked !== control.defaultChecked || control.value !== control.defaultValue;
}

/** Applies what the visitor chose or typed before the page was hydrated. */
export function useChoicesBeforeHydration(
  form: RefObject<HTMLFormElement | null>,
  facets: Facets,
  onChange: (filters: Filters) => void,
): void {
  const apply = useEffectEvent((element: HTMLFormElement) => {
    const touched = [...element.elements].filter(isTouched).map(({ name }) => name);
    if (touched.length === 0) return;
    const { max, ...others } = readFilterForm(new FormData(element), facets);
    // The slider has no name and applies its own move, which the field beside it does not show yet.
    onChange(touched.includes("max") ? { ...others, max } : others);
  });

  useEffect(() => {
    if (form.current !== null) apply(form.current);
  }, [form]);
}
