import { Link } from "../navigation/Link";
import { createPath, useLocation } from "../navigation/router";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";
import { EmptyWindow } from "./EmptyWindow";
import "./FailureNotice.css";

interface FailureNoticeProps {
  /** Says what could not be loaded. */
  failure: Key.productsFailed | Key.brandsFailed | Key.categoriesFailed;
  /** The heading level that fits the surrounding page. */
  heading?: "h2" | "h3";
}

export function FailureNotice({ failure, heading: Heading = "h3" }: FailureNoticeProps) {
  return (
    <div className="FailureNotice">
      <EmptyWindow sign={text(Key.closedSign)} />
      <Heading className="FailureNotice-title">{text(Key.failed)}</Heading>
      <p>{text(failure)}</p>
      <Link className="button" to={createPath(useLocation())}>
        {text(Key.tryAgain)}
      </Link>
    </div>
  );
}
