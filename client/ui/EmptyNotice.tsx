import type { ReactElement, ReactNode } from "react";
import "./EmptyNotice.css";

interface EmptyNoticeProps {
  picture: ReactNode;
  title: ReactElement;
  /** Links that lead on. */
  actions: ReactNode;
  /** With a frame, for use inside a page; without one, as a page of its own. */
  framed: boolean;
  /** Paragraphs below the title. */
  children: ReactNode;
}

/** A message that there is nothing to show, with links to other pages. */
export function EmptyNotice({ picture, title, actions, framed, children }: EmptyNoticeProps) {
  return (
    <div className={framed ? "EmptyNotice EmptyNotice--framed" : "EmptyNotice container"}>
      <span className="EmptyNotice-picture" aria-hidden="true">
        {picture}
      </span>
      {title}
      <div className="EmptyNotice-text">{children}</div>
      <div className="EmptyNotice-actions">{actions}</div>
    </div>
  );
}
