import type { ShopLink } from "../contract.gen";
import type { PagePath } from "../navigation/routes";

/** A link to a page of the shop. */
export interface PageLink extends ShopLink {
  href: PagePath;
}

/** The pages that header, menu and footer link to. */
export const SHOP_LINKS = [
  { href: "/new-arrivals", text: "New Arrivals" },
  { href: "/best-sellers", text: "Best Sellers" },
  { href: "/deals", text: "Deals" },
  { href: "/brands", text: "Brands" },
] as const satisfies readonly PageLink[];

/** The links, without the best sellers where no product has a rating. */
export function linksOf(links: readonly ShopLink[], unrated: boolean): readonly ShopLink[] {
  return unrated ? links.filter(({ href }) => href !== "/best-sellers") : links;
}

/** The links of the header: the operator's `own`, or else those to the shop's lists. */
export function headerLinks(own: readonly ShopLink[] | undefined, unrated: boolean): readonly ShopLink[] {
  return own ?? linksOf(SHOP_LINKS, unrated);
}

/** The links of the menu on small screens. */
export function menuLinks(own: readonly ShopLink[] | undefined, unrated: boolean): readonly ShopLink[] {
  return [...headerLinks(own, unrated), { href: "/categories", text: "Categories" }];
}
