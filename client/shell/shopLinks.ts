import type { ShopLink } from "../contract.gen";
import type { PagePath } from "../navigation/routes";
import { text } from "../texts/texts";
import { Key } from "../texts/texts.gen";

/** A link to a page of the shop. */
export interface PageLink extends ShopLink {
  href: PagePath;
}

/** The pages that header, menu and footer link to. */
export function shopLinks(): [newArrivals: PageLink, bestSellers: PageLink, deals: PageLink, brands: PageLink] {
  return [
    { href: "/new-arrivals", text: text(Key.newArrivals) },
    { href: "/best-sellers", text: text(Key.bestSellers) },
    { href: "/deals", text: text(Key.deals) },
    { href: "/brands", text: text(Key.brands) },
  ];
}

/** The links to pages that are not empty. */
export function linksOf(links: readonly ShopLink[], empty: readonly string[]): readonly ShopLink[] {
  return links.filter(({ href }) => !empty.includes(href.slice(1)));
}

/** The links of the header: the operator's `own`, or else those to the shop's lists. */
export function headerLinks(own: readonly ShopLink[] | undefined, empty: readonly string[]): readonly ShopLink[] {
  return linksOf(own ?? shopLinks(), empty);
}

/** The links of the menu on small screens. */
export function menuLinks(own: readonly ShopLink[] | undefined, empty: readonly string[]): readonly ShopLink[] {
  return linksOf([...(own ?? shopLinks()), { href: "/categories", text: text(Key.categories) }], empty);
}
