import type { LoaderFunctionArgs, RouteObject } from "./router";
import { Layout } from "./components/Layout";
import { PageContent } from "./components/PageContent";
import { RouteError } from "./components/RouteError";
import { loadPage } from "./data";
import { ROUTE_TABLE } from "./routeTable";

function loader({ request }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url);
  return loadPage(pathname + search, request.signal);
}

/** Each address has the same loader and element: the page's own data says what it shows. */
const pages: RouteObject[] = [...ROUTE_TABLE, { path: "*" }].map(({ path }) => ({
  id: path,
  path,
  loader,
  element: <PageContent />,
}));

export const routes: RouteObject[] = [
  {
    id: "layout",
    element: <Layout />,
    // Only for a failure of the layout itself; a page that fails keeps the header and the footer.
    errorElement: <RouteError />,
    children: [{ id: "content", errorElement: <RouteError />, children: pages }],
  },
];
