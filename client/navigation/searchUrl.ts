import { fillRoute, pageHref } from "./addresses";

/** The address of the results for a search text, or undefined for a blank text. */
export function searchHref(text: string): string | undefined {
  const query = text.trim();
  if (query === "") return undefined;
  // Browsers resolve a path segment of one or two dots, so these texts go into the query.
  if (query === "." || query === "..") return `${pageHref("/search")}?q=${query}`;
  return fillRoute("/search/:text", query);
}
