import type { ReactElement, ReactNode } from "react";
import { text as sentence } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import "./EmptyNotice.css";

interface EmptyNoticeProps {
  picture: ReactNode;
  title: string;
  text: string;
  /** The title if the catalogue did not answer. Then nobody knows whether `title` is true, so `title` comes last. */
  failure: string | false;
  /** Links that lead on. */
  actions: ReactElement;
  /** With a frame, for use inside a page; without one, as a page of its own. */
  framed: boolean;
  /** Content that matters more than the notice, which then is only words without a frame. */
  children?: ReactNode;
}

/** A message that there is nothing to show, with links to other pages. */
export function EmptyNotice({ picture, title, text, failure, actions, framed, children }: EmptyNoticeProps) {
  const Title = framed ? "h2" : "h1";
  const Note = framed ? "h3" : "h2";
  return (
    <div className={`EmptyNotice ${children !== undefined ? "EmptyNotice--words" : framed ? "EmptyNotice--framed" : "container"}`}>
      {children === undefined && (
        <span className="EmptyNotice-picture" aria-hidden="true">
          {picture}
        </span>
      )}
      <Title tabIndex={-1}>{failure || title}</Title>
      <p className="EmptyNotice-text">{failure ? sentence(Key.couldNotReach) : text}</p>
      {children !== undefined && <div>{children}</div>}
      <div className="EmptyNotice-actions">{actions}</div>
      {failure !== false && (
        <div className="EmptyNotice-note">
          <Note className="EmptyNotice-noteTitle">{title}</Note>
          <p>{text}</p>
        </div>
      )}
    </div>
  );
}
