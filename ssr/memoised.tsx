import { createElement } from "react";
import type { ComponentProps, ComponentType, ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { createMemo } from "./memo";
import type { Parts } from "./memo";
import { innerElement } from "./innerElement";

/** One memo for all components, so that they share its budget, which the host sets. */
const memo = createMemo(8 << 20);

/** The number of memoised components: each has keys of its own. */
let count = 0;

/** Markup that the current render is to remember. */
interface Missed {
  readonly key: string;
  readonly parts: Parts | undefined;
  /** The number of images in it that are not lazy. */
  readonly hints: 0 | 1;
}

/** In the order of the markup. */
let missed: Missed[] = [];
/** How many images the current render has only for their hints. */
let hintImages = 0;

// Elements around the markup that is to be remembered. No text can contain them, because React escapes texts.
// Their names begin with a character that is rare in pages, so that they are found quickly.
const NAME = "ZZ-";
const START = "ZZ-start";
const END = "ZZ-end";
// Around an image that is rendered only so that React adds a hint for it to the start of the page.
const HINT = "ZZ-hint";

/** What decides which file of an image is asked for. */
type Early = Pick<ComponentProps<"img">, "src" | "srcSet" | "sizes">;

interface Options<Props> {
  /** The key then only names the subject, such as a product's id, and only the markup of the latest parts is kept. */
  readonly partsOf?: (props: Props) => Parts;
  /** An image in the markup that is not lazy, if there is one. */
  readonly early?: (props: Props) => Early | null;
}

/**
 * A component that gives the same markup as `Component`, and remembers it. `keyOf` and `partsOf` together return
 * everything that the markup depends on: without parts the key does. `keyOf` returns null where the markup is not to be
 * remembered, and may use hooks.
 *
 * The markup is remembered the second time that a key occurs with the same parts: remembering what occurs only once costs more than it saves.
 *
 * `docs/decisions/0020-server-memo.md` says which components can be memoised.
 */
export function memoised<Props extends object>(
  Component: ComponentType<Props>,
  keyOf: (props: Props) => string | null,
  { partsOf, early = () => null }: Options<Props> = {},
): (props: Props) => ReactElement {
  const prefix = `${count++}\n`;
  return function Memoised(props) {
    const own = keyOf(props);
    if (own === null) return <Component {...props} />;
    const key = prefix + own;
    const parts = partsOf?.(props);
    const known = memo.get(key, parts);
    if (known === undefined) return <Component {...props} />;
    if (known !== null) {
      const image = early(props);
      return image === null ? known : withHint(image, known);
    }
    missed.push({ key, parts, hints: early(props) === null ? 0 : 1 });
    return (
      <>
        {createElement(START)}
        <Component {...props} />
        {createElement(END)}
      </>
    );
  };
}

/** Remembered markup, and its image as an element, for which React adds the hint. */
function withHint({ src, srcSet, sizes }: Early, known: ReactElement): ReactElement {
  hintImages += 1;
  return (
    <>
      {createElement(HINT, null, <img src={src} srcSet={srcSet} sizes={sizes} alt="" fetchPriority="high" />)}
      {known}
    </>
  );
}

/** Renders an element with memoised components in it. */
export function renderWithMemo(element: ReactElement): string {
  missed = [];
  hintImages = 0;
  const marked = renderToString(element);
  return missed.length === 0 && hintImages === 0 ? marked : withoutMarks(marked);
}

/** Sets how much markup may be remembered, in characters, and forgets all markup. */
export function limitMarkup(characters: number): void {
  memo.limit(characters);
}

/** Forgets all markup. */
export function forgetMarkup(): void {
  memo.clear();
}

/** Removes the marks from a page's markup, and remembers what is between them. */
function withoutMarks(marked: string): string {
  const parts: string[] = [];
  const open: { part: Missed | undefined; from: number }[] = [];
  const found: { part: Missed; from: number; to: number }[] = [];
  let [position, length, started] = [0, 0, 0];
  for (let name = marked.indexOf(NAME); name !== -1; name = marked.indexOf(NAME, Math.max(position, name + 1))) {
    // A name without `<` before it is part of a text.
    if (marked[name - 1] !== "<") continue;
    parts.push(marked.slice(position, name - 1));
    length += name - 1 - position;
    const mark = [START, END, HINT].find((mark) => marked.startsWith(mark, name)) ?? HINT;
    if (mark === START) open.push({ part: missed[started++], from: length });
    else if (mark === END) {
      const { part, from } = open.pop() ?? {};
      if (part !== undefined && from !== undefined) found.push({ part, from, to: length });
    }
    const end = `</${mark}>`;
    position = marked.indexOf(end, name) + end.length;
  }
  parts.push(marked.slice(position));
  const markup = parts.join("");
  for (const { part, from, to } of found) {
    const element = innerElement(markup.slice(from, to), part.hints);
    if (element !== null) memo.set(part.key, part.parts, element, to - from);
  }
  return markup;
}
