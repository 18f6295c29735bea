import { useLocation } from "../navigation/router";
import type { ShopLink } from "../contract.gen";
import { menuLinks } from "./shopLinks";

/** Which link of the header `NavLink` marks as the current one: its index, or -1. */
export function useCurrentLink(links: readonly ShopLink[] | undefined): number {
  const at = `${useLocation().pathname}/`.toLowerCase();
  return menuLinks(links, []).findIndex(({ href }) => at.startsWith(`${href.split(/[?#]/, 1)[0]}/`.toLowerCase()));
}
