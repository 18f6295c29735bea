import { Link } from "../navigation/Link";
import { createPath, useLocation } from "../navigation/router";
import { EmptyWindow } from "./EmptyWindow";
import "./FailureNotice.css";

interface FailureNoticeProps {
  /** What could not be loaded, such as `products`. */
  what: string;
  /** The heading level that fits the surrounding page. */
  heading?: "h2" | "h3";
}

export function FailureNotice({ what, heading: Heading = "h3" }: FailureNoticeProps) {
  return (
    <div className="FailureNotice">
      <EmptyWindow sign="closed" />
      <Heading className="FailureNotice-title">Oops! Something went wrong</Heading>
      <p>{`We couldn't load the ${what}. Please try again later.`}</p>
      <Link className="button" to={createPath(useLocation())}>
        Try again
      </Link>
    </div>
  );
}
