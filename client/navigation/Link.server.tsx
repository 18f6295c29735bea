// On the server, importers of Link.tsx get this instead; see scripts/server-bundle-options.mjs.
import { Link as ClientLink } from "./Link";
import type { LinkProps } from "./router";

/** An address that resolving does not change: from the root, without empty, `.` or `..` segments. */
const RESOLVED = /^\/(?:[^\\/?#.][^\\/?#]*(?:\/[^\\/?#.][^\\/?#]*)*)?(?:\?[^#]+)?$/;

/** The attributes of a link that React Router does not read itself. */
type Attributes = Omit<LinkProps, "discover" | "onClick" | "preventScrollReset" | "to">;

/** The client's link without what only a click needs. */
export function Link(props: Attributes & Pick<LinkProps, "onClick" | "preventScrollReset" | "to">) {
  const { to, preventScrollReset, children, ...attributes } = props;
  if (typeof to !== "string" || !RESOLVED.test(to)) return <ClientLink {...props} />;
  return (
    <a {...attributes} href={to}>
      {children}
    </a>
  );
}
