import { LoadError } from "../data";
import { ErrorPage } from "../pages/ErrorPage";

/** The route error page for what failed in the browser: a load, or a component. */
export function RouteError({ error }: { error: Error }) {
  return <ErrorPage status={error instanceof LoadError ? error.status : undefined} message={error.message} />;
}
