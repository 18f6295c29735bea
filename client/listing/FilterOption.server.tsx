// On the server, importers of FilterOption.tsx get this instead; see scripts/server-bundle-options.mjs.
import { isValidElement } from "react";
import type { ReactNode } from "react";
import { FilterOption as Plain } from "./FilterOption";
import { memoised } from "../../ssr/memoised";

export const FilterOption = memoised(Plain, ({ type, name, value, count, isAll, checked, children }) => {
  const text = isolatedText(children);
  return text === null ? null : JSON.stringify([type, name, value, count, isAll, checked, text]);
});

/** The text of a `bdi` element that has nothing else, as the choices of facets are. */
function isolatedText(children: ReactNode): string | null {
  if (!isValidElement<Record<string, unknown>>(children) || children.type !== "bdi") return null;
  const { children: text, ...attributes } = children.props;
  return typeof text === "string" && Object.keys(attributes).length === 0 ? text : null;
}
