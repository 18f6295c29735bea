/** An element with attributes and content. Strings become text, never markup. */
export function element(tag: string, attributes: Record<string, string>, ...content: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}
