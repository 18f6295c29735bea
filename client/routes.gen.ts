// Generated from host/shop/answering/routes.rs; never edited.

export const ROUTE_PATHS = [
  "/",
  "/categories",
  "/brands",
  "/products",
  "/sale",
  "/new-arrivals",
  "/best-sellers",
  "/deals",
  "/category/:slug",
  "/search",
  "/search/:text",
  "/saved",
  "/page/:slug",
  "/offline",
  "/product/:id",
] as const;
