import { useEffect } from "react";
import type { Reading } from "../contract.gen";
import { Link } from "../navigation/Link";
import { createPath, useLocation, useNavigate } from "../navigation/router";
import { usePageRouter } from "../navigation/usePageRouter";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";

/** Time between two requests for the page, in milliseconds. A page may take most of it. */
const AGAIN_MS = 10_000;

/** Says that the catalogue is being read, and asks for the page again until it is there. */
export function ReadingNotice({ reading: { read, total } }: { reading: Reading }) {
  const navigate = useNavigate();
  const { getState } = usePageRouter();
  const path = createPath(useLocation());
  useEffect(() => {
    const timer = setInterval(() => {
      // The visitor may be on the way to another page.
      if (!document.hidden && getState().next === undefined) void navigate(path, { replace: true, preventScrollReset: true });
    }, AGAIN_MS);
    return () => {
      clearInterval(timer);
    };
  }, [navigate, getState, path]);
  return (
    <div>
      <p role="status">{total > 0 ? text(Key.readingOf, read, total) : text(Key.reading)}</p>
      <Link to={path}>{text(Key.tryAgain)}</Link>
    </div>
  );
}
