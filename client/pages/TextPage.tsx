import { createElement } from "react";
import type { ReactNode } from "react";
import type { TextNode, TextPageContent } from "../contract.gen";
import { pictureAt } from "../ui/picture";
import "./TextPage.css";

/** A text of the operator, such as the terms. */
export function TextPage({ content: { title, text } }: { content: TextPageContent }) {
  return createElement("article", { className: "TextPage container", dir: "auto" }, <h1 tabIndex={-1}>{title}</h1>, ...text.map(pieceOf));
}

/** The host allows only elements that do nothing, checks links, and joins texts that would be adjacent. */
function pieceOf(node: TextNode): ReactNode {
  if (typeof node === "string") return node;
  const { name, content = [], src, alt = "", ...attributes } = node;
  if (src !== undefined) {
    return <img className="TextPage-img" {...pictureAt(src, "(min-width: 44rem) 42rem, 92vw")[1]} alt={alt} loading="lazy" decoding="async" />;
  }
  if (name === "table") {
    // Focusable, so that the keyboard scrolls a table that is wider than the page.
    const table = createElement(name, { className: "TextPage-table" }, ...content.map(pieceOf));
    return createElement("div", { className: "TextPage-scroll", tabIndex: 0 }, table);
  }
  return createElement(name, { className: `TextPage-${name}`, ...attributes }, ...content.map(pieceOf));
}
