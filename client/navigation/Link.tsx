import { RouterLink } from "./router";
import type { LinkProps } from "./router";

/**
 * A link to a page of the shop, which changes the page without loading a document. On the server
 * `Link.server.tsx` stands in for it.
 */
export function Link(props: LinkProps) {
  // With its default for `discover`, the package marks links for a router of its own, which is not used here.
  return <RouterLink discover="none" {...props} />;
}
