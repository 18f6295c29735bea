import type { ShopLink } from "../contract.gen";
import type { PagePath } from "../navigation/routes";

export interface NamedLink {
  href: string;
  name: string;
}

export interface PageLink extends NamedLink {
  href: PagePath;
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

/** The links of the header: the operator's, or else those to the shop's lists. */
export function headerLinks(own: readonly ShopLink[] | undefined, unrated: boolean): readonly NamedLink[] {
  return own === undefined ? linksOf(SHOP_LINKS, unrated) : named(own);
}

/** The links of the menu on small screens. */
export function menuLinks(own: readonly ShopLink[] | undefined, unrated: boolean): readonly NamedLink[] {
  return [...headerLinks(own, unrated), { href: "/categories", name: "Categories" }];
}

export function named(links: readonly ShopLink[]): readonly NamedLink[] {
  return links.map(({ text, href }) => ({ name: text, href }));
}
