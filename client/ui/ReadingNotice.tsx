import { useEffect } from "react";
import type { Reading } from "../contract.gen";
import { createPath, useLocation, useNavigate } from "../navigation/router";

/** Time between two requests for the page, in milliseconds. */
const AGAIN_MS = 5_000;

/** Says that the catalogue is being read, and asks for the page again until it is there. */
export function ReadingNotice({ reading: { read, total } }: { reading: Reading }) {
  const navigate = useNavigate();
  const path = createPath(useLocation());
  useEffect(() => {
    const timer = setInterval(() => {
      void navigate(path, { replace: true, preventScrollReset: true });
    }, AGAIN_MS);
    return () => {
      clearInterval(timer);
    };
  }, [navigate, path]);
  const progress = total > 0 ? `: ${read} of ${total} products` : "";
  return <p role="status">{`The catalogue is being read${progress}.`}</p>;
}
