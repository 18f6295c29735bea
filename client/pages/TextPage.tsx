import { createElement } from "react";
import type { ReactNode } from "react";
import type { TextNode, TextPageContent } from "../contract.gen";
import "./TextPage.css";

/** A text of the operator, such as the terms. */
export function TextPage({ content: { title, text } }: { content: TextPageContent }) {
  return createElement("article", { className: "TextPage container", dir: "auto" }, <h1 tabIndex={-1}>{title}</h1>, ...text.map(pieceOf));
}

/** The host allows only elements that do nothing, checks links, and joins texts that would be adjacent. */
function pieceOf(node: TextNode): ReactNode {
  if (typeof node === "string") return node;
  const { name, content = [], ...attributes } = node;
  return createElement(name, { className: `TextPage-${name}`, ...attributes }, ...content.map(pieceOf));
}
