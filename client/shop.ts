/** What the shop says about itself in more than one place. */
export const SHOP_NAME = "Vitrine";

/** The listings that have an address of their own; header, menu and footer link to them. */
export const SHOP_LINKS = [
  { href: "/new-arrivals", name: "New Arrivals" },
  { href: "/best-sellers", name: "Best Sellers" },
  { href: "/deals", name: "Deals" },
  { href: "/brands", name: "Brands" },
] as const;

/** Shown in place of whatever the catalogue did not answer. */
export const FAILURE_TITLE = "Oops! Something went wrong";
