import { createElement } from "react";
import type { ReactElement } from "react";

/** A start tag whose attributes need no unescaping. */
const START_TAG = /^<([a-z]+)((?: [a-z-]+="[^"&]*")*)>/;
const ATTRIBUTE = / ([a-z-]+)="([^"&]*)"/g;

/** The attributes that React calls as HTML does, besides `class`. */
const SAME_NAME = /^(?:aria-[a-z]+|dir|href|id|role)$/;

/** The root of some markup, with the rest as its inner HTML; null where that would not give the same page. */
export function innerElement(html: string): ReactElement | null {
  const [start, tag, attributes] = START_TAG.exec(html) ?? [];
  if (start === undefined || tag === undefined || attributes === undefined) return null;
  const end = `</${tag}>`;
  if (!html.endsWith(end) || hasHint(html)) return null;
  const props: Record<string, unknown> = {};
  for (const [, name, value] of attributes.matchAll(ATTRIBUTE)) {
    if (name === "class") props.className = value;
    else if (name !== undefined && SAME_NAME.test(name)) props[name] = value;
    else return null;
  }
  props.dangerouslySetInnerHTML = { __html: detached(html.slice(start.length, -end.length)) };
  return createElement(tag, props);
}

/** Whether it has an image that is not lazy: React adds a hint for it to the start of the document. */
function hasHint(html: string): boolean {
  for (let image = html.indexOf("<img "); image !== -1; image = html.indexOf("<img ", image + 1)) {
    // Attributes contain no `>`, because React escapes it.
    if (!html.slice(image, html.indexOf(">", image)).includes(' loading="lazy"')) return true;
  }
  return false;
}

/** The same text, of which V8 no longer keeps the page that it is a part of. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}
