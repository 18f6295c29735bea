import type { PagePath } from "../navigation/routes";

export interface ShopLink {
  href: PagePath;
  name: string;
}

/** The pages that header, menu and footer link to. */
export const SHOP_LINKS = [
  { href: "/new-arrivals", name: "New Arrivals" },
  { href: "/best-sellers", name: "Best Sellers" },
  { href: "/deals", name: "Deals" },
  { href: "/brands", name: "Brands" },
] as const satisfies readonly ShopLink[];

/** The links of the menu on small screens. */
export const MENU_LINKS: readonly ShopLink[] = [...SHOP_LINKS, { href: "/categories", name: "Categories" }];
