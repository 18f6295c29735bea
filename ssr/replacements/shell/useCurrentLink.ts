import { useLocation } from "../../../client/navigation/router";
import { MENU_LINKS } from "../../../client/shell/shopLinks";

/** Which link of the header is marked as the current one: its index, or -1. The links are those of `NavLink`. */
export function useCurrentLink(): number {
  const at = `${useLocation().pathname}/`.toLowerCase();
  return MENU_LINKS.findIndex(({ href }) => at.startsWith(`${href}/`));
}
