import { createElement } from "react";
import type { ComponentType, ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { memoBudget } from "./globals";
import { createMemo } from "./memo";
import { innerElement } from "./innerElement";

/** One memo for all components, so that they share its budget. */
const memo = createMemo(memoBudget);

/** The number of memoised components: each has keys of its own. */
let count = 0;

/** The keys that the current render did not find, in the order of its markup. */
let missed: string[] = [];

// Around the markup of what was not found. No text can contain them, because React escapes texts.
const START = "<memo-start></memo-start>";
const END = "<memo-end></memo-end>";

/**
 * A component that gives the same markup as `Component`, and remembers it by a key. `keyOf` returns
 * everything that the markup depends on, or null where it is not to be remembered. It may use hooks.
 *
 * `docs/decisions/0020-server-memo.md` says which components can be memoised.
 */
export function memoised<Props extends object>(
  Component: ComponentType<Props>,
  keyOf: (props: Props) => string | null,
): (props: Props) => ReactElement {
  const prefix = `${count++}\n`;
  return function Memoised(props) {
    const own = keyOf(props);
    if (own === null) return <Component {...props} />;
    const key = prefix + own;
    const known = memo.get(key);
    if (known !== undefined) return known;
    missed.push(key);
    return (
      <>
        {createElement("memo-start")}
        <Component {...props} />
        {createElement("memo-end")}
      </>
    );
  };
}

/** Renders an element with memoised components in it. */
export function renderWithMemo(element: ReactElement): string {
  missed = [];
  const marked = renderToString(element);
  return missed.length === 0 ? marked : withoutMarks(marked);
}

/** Forgets all markup. */
export function forgetMarkup(): void {
  memo.clear();
}

/** Removes the marks from a page's markup, and remembers what is between them. */
function withoutMarks(marked: string): string {
  const parts: string[] = [];
  const open: { key: string; from: number }[] = [];
  const found: { key: string; from: number; to: number }[] = [];
  let [position, length, started] = [0, 0, 0];
  for (let mark = marked.indexOf("<memo-"); mark !== -1; mark = marked.indexOf("<memo-", position)) {
    parts.push(marked.slice(position, mark));
    length += mark - position;
    if (marked.startsWith(START, mark)) {
      open.push({ key: missed[started++] ?? "", from: length });
      position = mark + START.length;
    } else {
      const part = open.pop();
      if (part !== undefined) found.push({ ...part, to: length });
      position = mark + END.length;
    }
  }
  parts.push(marked.slice(position));
  const markup = parts.join("");
  for (const { key, from, to } of found) {
    const element = innerElement(markup.slice(from, to));
    if (element !== null) memo.set(key, element, to - from);
  }
  return markup;
}
