import { LoadError } from "../navigation/data";
import { ErrorPage } from "../pages/ErrorPage";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";

interface RouteErrorProps {
  error: Error;
  /** Loads the page again; not given for a failure that would only repeat itself. */
  onRetry?: () => void;
}

/** The error page for a failure in the browser: of a request, or of a component. */
export function RouteError({ error, onRetry }: RouteErrorProps) {
  return (
    <ErrorPage status={error instanceof LoadError ? error.status : undefined} message={error.message}>
      {onRetry !== undefined && (
        <button className="button button--quiet" type="button" onClick={onRetry}>
          {text(Key.tryAgain)}
        </button>
      )}
    </ErrorPage>
  );
}
