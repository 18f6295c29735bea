// What the first screens need, by kind of page: `first-paint-styles.mjs` and `icon-sprite.mjs` put it first. What a
// list forgets comes with the first screen; what it names wrongly is found by tests/browser/journeys/firstPaint.spec.ts.

/** Classes of what no page shows before the whole style sheet is there. `Name*` is the class and all its parts. */
export const LATER = [
  "CategoryMenu-panel", "CategoryMenu-list", "CategoryMenu-link", "CategoryMenu-link--every",
  "FilterPanel-dialog", "FilterPanel-sheet", "FilterPanel-slot", "FilterPanel-close", "FilterPanel-foot", "FilterPanel-count",
  "FailedChange-notice", "FailedChange-retry", "AddButton--adding", "AddButton--added", "ProductCard-second",
  "ProductCard-media--chosen",
];

/** Classes of what follows the first screen, see `client/ui/FurtherStyles.tsx`, on every page that has such a place. */
const FRAME = ["Footer*", "NewsletterForm*", "MobileMenu-panel", "MobileMenu-list", "MobileMenu-link", "MobileMenu-theme"];

const HOME = ["ProductSection*", "ProductCard*", "ProductShelf*", "ProductGrid*", "StarRating*", "Price*", "AddButton*",
  "WishlistButton*", "ShopStory*", "Sill*", "Swatches*"];

/** What stands in the place of products that are not there. */
const EMPTY = ["Pagination*", "EmptyNotice*", "EmptyWindow*", "SearchSuggestions*", "ProductShelf*"];

/** The same for each kind. */
export const BELOW = {
  home: [...FRAME, ...HOME],
  own_home: FRAME,
  listing: [...FRAME, ...EMPTY],
  rows: [...FRAME, ...EMPTY],
  product: [...FRAME, "Reviews*", "ReviewItem*", "ReviewDistribution*", "ProductShelf*", "ProductCard*", "SectionHeading*", "AddButton*", "WishlistButton*"],
  overview: [...FRAME, "Pagination*", "OverviewPages"],
  message: [],
};

/** The icons of every page's first screen: those of the header. */
const HEADER = ["chevron-down", "truck", "headset", "undo-2", "menu", "search", "moon", "sun", "bell", "heart", "user-round", "shopping-bag"];
const OF_CARDS = ["StarRow", "plus", "package-search"];

/** All of them. `StarRow` is no icon of its own. */
export const ICONS = {
  home: [...HEADER, "arrow-right"],
  own_home: [...HEADER, ...OF_CARDS, "arrow-right"],
  listing: [...HEADER, ...OF_CARDS, "chevron-right", "sliders-horizontal", "x"],
  rows: [...HEADER, ...OF_CARDS, "chevron-right", "sliders-horizontal", "x", "layout-grid", "list"],
  product: [...HEADER, "StarRow", "arrow-left", "chevron-left", "chevron-right", "zoom-in", "minus", "plus", "bookmark", "share-2"],
  overview: [...HEADER, "chevron-right", "layout-grid", "list"],
  message: [...HEADER, "arrow-right", "package-open", "search-x"],
};
