import { LoadError } from "../navigation/data";
import { ErrorPage } from "../pages/ErrorPage";

/** The error page for a failure in the browser: of a request, or of a component. */
export function RouteError({ error }: { error: Error }) {
  return <ErrorPage status={error instanceof LoadError ? error.status : undefined} message={error.message} />;
}
