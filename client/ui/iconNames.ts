/**
 * The icons of the shop, by their names at lucide.dev. The build draws them into the sprite of every
 * document (`scripts/icon-sprite.mjs`), so that neither the page nor the bundle repeats a drawing.
 */
export const ICON_NAMES = [
  "arrow-left",
  "arrow-right",
  "bell",
  "bookmark",
  "check",
  "chevron-down",
  "chevron-left",
  "chevron-right",
  "headset",
  "heart",
  "layout-grid",
  "list",
  "loader-circle",
  "menu",
  "minus",
  "moon",
  "package-open",
  "package-search",
  "plus",
  "ruler",
  "search",
  "search-x",
  "share-2",
  "shield-check",
  "shopping-bag",
  "sliders-horizontal",
  "sun",
  "truck",
  "undo-2",
  "user-round",
  "weight",
  "x",
  "zoom-in",
  "zoom-out",
] as const;

export type IconName = (typeof ICON_NAMES)[number];
