import { ErrorPage } from "../pages/ErrorPage";
import { isRouteErrorResponse, useRouteError } from "../router";

/** The route error page for what failed in the browser: a load, or a component. */
export function RouteError() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : undefined;
  return <ErrorPage status={status} message={messageOf(error)} />;
}

function messageOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return error.statusText;
  return error instanceof Error ? error.message : "";
}
