import { createElement, Fragment } from "react";
import type { ReactElement, ReactNode } from "react";
import { pieces } from "./forms";
import { ENGLISH } from "./texts.gen";
import type { Key, Values } from "./texts.gen";

/**
 * What tells which form a count takes (`forms.ts`), the texts by the numbers of their keys, and their language if it is
 * not the shop's: the `lang` of elements with hardly anything but texts of the interface.
 *
 * English texts are part of the bundle. Those of another language, or of the operator, take their place before anything is
 * rendered. A text is therefore asked for while a component renders, never before.
 */
export type Texts = [rule: string, texts: readonly string[], language?: string];

const BUILT_IN: Texts = ["101", ENGLISH];

let [rule, texts] = BUILT_IN;
export let language = BUILT_IN[2];

/** Takes these texts from now on, or the English ones. */
export function replaceTexts(replaced = BUILT_IN): void {
  [rule, texts, language] = replaced;
}

type ValuesOf<K extends Key> = K extends keyof Values ? Values[K] : [];
type ElementsFor<Named extends readonly unknown[]> = { [At in keyof Named]: ReactElement };

/** A text with its values. If it has several forms, the first value is the count, which decides. */
export function text<K extends Key>(key: K, ...values: ValuesOf<K>): string {
  return pieces(texts[key] as string, rule, values).join("");
}

/** A text whose values are elements. */
export function phrase<K extends Key>(key: K, ...values: ElementsFor<ValuesOf<K>>): ReactElement {
  return createElement(Fragment, null, ...pieces<ReactNode>(texts[key] as string, rule, values as ReactElement[]));
}
