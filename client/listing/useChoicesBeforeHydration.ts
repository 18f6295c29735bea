import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";
import type { Filters } from "../contract.gen";
import { readFilterForm } from "./readFilterForm";

/** Applies what the visitor chose or typed before the page was hydrated. */
export function useChoicesBeforeHydration(
  form: RefObject<HTMLFormElement | null>,
  priceCeiling: number,
  onChange: (filters: Partial<Filters>) => void,
): void {
  const apply = useEffectEvent((element: HTMLFormElement) => {
    const wasTouched = [...element.elements].some(
      (control) =>
        control instanceof HTMLInputElement &&
        control.name !== "" &&
        (control.checked !== control.defaultChecked || control.value !== control.defaultValue),
    );
    if (wasTouched) onChange(readFilterForm(new FormData(element), priceCeiling));
  });

  useEffect(() => {
    if (form.current !== null) apply(form.current);
  }, [form]);
}
