import type { ReactNode } from "react";
import "./EmptyNotice.css";

interface EmptyNoticeProps {
  picture: ReactNode;
  title: ReactNode;
  /** What to do now: links. */
  actions: ReactNode;
  /** Whether it stands among other things, and so has a frame. */
  framed: boolean;
  /** Paragraphs that say more. */
  children: ReactNode;
}

/** There is nothing to show, and where to go instead. */
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
