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
