import { createElement, Fragment } from "react";
import type { ReactElement, ReactNode } from "react";
import { filled, formOf, pieces } from "./forms";
import { ENGLISH } from "./texts.gen";
import type { Key, Values } from "./texts.gen";

/**
 * The texts of the interface. English ones are part of the bundle; those of another language, or of the operator, take
 * their place before anything is rendered. A text is therefore asked for while a component renders, never before.
 */
let [rule, texts, language]: Texts = ["101", ENGLISH];

/**
 * What tells which form a count takes (`host/texts/language.rs`), the texts by the numbers of their keys, and their
 * language if it is not the shop's.
 */
export type Texts = readonly [rule: string, texts: readonly (string | readonly string[])[], language?: string | null];

type ValuesOf<K extends Key> = K extends keyof Values ? Values[K] : [];
type ElementsFor<Named extends readonly unknown[]> = { [At in keyof Named]: ReactElement };

/** Takes these texts from now on, or the English ones. */
export function replaceTexts(replaced: Texts = ["101", ENGLISH]): void {
  [rule, texts, language] = replaced;
}

/** The `lang` of an element with hardly anything but texts of the interface: they may be in another language than the shop. */
export function textLanguage(): string | undefined {
  return language ?? undefined;
}

/** A text with its values. Of a text with several forms the first value is the count, which decides. */
export function text<K extends Key>(key: K, ...values: ValuesOf<K>): string {
  return filled(formOf(texts[key] ?? "", rule, values[0]), values);
}

/** A text whose values are elements. */
export function phrase<K extends Key>(key: K, ...values: ElementsFor<ValuesOf<K>>): ReactElement {
  return createElement(Fragment, null, ...pieces(formOf(texts[key] ?? "", rule), values as ReactNode[]));
}
