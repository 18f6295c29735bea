import { createElement, Fragment } from "react";
import type { ReactNode } from "react";
import type { TextNode, TextPageContent } from "../contract.gen";
import { OperatorLink } from "../ui/OperatorLink";
import "./TextPage.css";

/** A text of the operator, such as the terms. */
export function TextPage({ content: { title, text } }: { content: TextPageContent }) {
  return (
    <article className="TextPage container" dir="auto">
      <h1 tabIndex={-1}>{title}</h1>
      <div className="TextPage-text">{piecesOf(text)}</div>
    </article>
  );
}

/** The pieces one after the other. Texts are never adjacent, because the host joins them. */
function piecesOf(content: readonly TextNode[]): ReactNode {
  return createElement(Fragment, null, ...content.map(pieceOf));
}

/** The host allows only elements that do nothing, and checks links. */
function pieceOf(node: TextNode): ReactNode {
  if (typeof node === "string") return node;
  const { name, href, content } = node;
  const pieces = content && piecesOf(content);
  if (href !== undefined) return <OperatorLink href={href}>{pieces}</OperatorLink>;
  return createElement(name, { className: `TextPage-${name}` }, pieces);
}
