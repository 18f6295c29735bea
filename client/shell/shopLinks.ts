import type { PagePath } from "../navigation/routes";

export interface PageLink {
  href: PagePath;
  name: string;
}

/** The pages that header, menu and footer link to. */
export const SHOP_LINKS = [
  { href: "/new-arrivals", name: "New Arrivals" },
  { href: "/best-sellers", name: "Best Sellers" },
  { href: "/deals", name: "Deals" },
  { href: "/brands", name: "Brands" },
] as const satisfies readonly PageLink[];

/** The links, without the best sellers where no product has a rating. */
export function linksOf(links: readonly PageLink[], unrated: boolean): readonly PageLink[] {
  return unrated ? links.filter(({ href }) => href !== "/best-sellers") : links;
}

/** The links of the menu on small screens. */
export const MENU_LINKS: readonly PageLink[] = [...SHOP_LINKS, { href: "/categories", name: "Categories" }];
