import { createElement } from "react";
import type { ReactElement } from "react";

/** A start tag whose attributes need no unescaping. */
const START_TAG = /^<([a-z]+)((?: [a-zA-Z-]+="[^"&]*")*)>/;
const ATTRIBUTE = / ([a-zA-Z-]+)="([^"&]*)"/g;

/** The attributes whose name in React's markup is also the name of the prop. `class` has another. */
const SAME_NAME = /^(?:action|aria-[a-z]+|autoComplete|dir|href|id|lang|method|role|type)$/;

/**
 * The root of some markup, with the rest as its inner HTML; null where that would not give the same page.
 * React adds a hint to the start of the document for each image that is not lazy. `hints` is the number of these
 * images whose hint the caller provides.
 */
export function innerElement(html: string, hints: 0 | 1): ReactElement | null {
  const [start, tag, attributes] = START_TAG.exec(html) ?? [];
  if (start === undefined || tag === undefined || attributes === undefined) return null;
  const end = `</${tag}>`;
  if (!html.endsWith(end) || hintCount(html) > hints) return null;
  const props: Record<string, unknown> = {};
  for (const [, name, value] of attributes.matchAll(ATTRIBUTE)) {
    if (name === "class") props.className = value;
    else if (name !== undefined && SAME_NAME.test(name)) props[name] = value;
    else return null;
  }
  props.dangerouslySetInnerHTML = { __html: detached(html.slice(start.length, -end.length)) };
  return createElement(tag, props);
}

/** The number of images in some markup that are not lazy. */
function hintCount(html: string): number {
  let count = 0;
  for (let image = html.indexOf("<img "); image !== -1; image = html.indexOf("<img ", image + 1)) {
    // Attributes contain no `>`, because React escapes it.
    if (!html.slice(image, html.indexOf(">", image)).includes(' loading="lazy"')) count += 1;
  }
  return count;
}

/** A copy of a text that was cut from a page. V8 would otherwise keep the whole page in memory with it. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}
