import type { Page } from "./contract.gen";
import { matchRoutes } from "./router";
import { routes } from "./routes";

/**
 * A page as what the matched route's loader would have returned: the router on either side
 * starts from it and loads nothing.
 */
export function hydrationData(page: Page, path: string) {
  const id = matchRoutes(routes, path)?.at(-1)?.route.id;
  return { loaderData: id === undefined ? {} : { [id]: page } };
}
