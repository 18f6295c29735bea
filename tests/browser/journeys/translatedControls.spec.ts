import type { Page } from "@playwright/test";
import { FAILED_CHANGE, FAILED_PAGE, pending } from "../support/failingSteps";
import { filters } from "../support/listing";
import { cards, heading, open } from "../support/page";
import { CARD, choose, compare, enter, FRAME, press, search, tick, type, visit } from "../support/sideBySide";
import type { Step } from "../support/sideBySide";
import { expect, isAll, test } from "../support/test";
import { translate } from "../support/translator";
import type { Watch } from "../support/watch";

// What can be done on each kind of page, once the client has taken it over: a page that the browser translates then
// shows what another one shows.

interface Journey {
  path: string;
  /** What is compared, if a part of the page is random. */
  part?: string;
  steps: readonly Step[];
  announce?: (watch: Watch) => void;
}

const gallery = (page: Page) => page.getByRole("group", { name: "Product images" });

/** A step that repeats others of the same kind. */
const more = (step: Step): Step => ({ ...step, isMore: true });

const JOURNEYS: readonly Journey[] = [
  // The categories of the page are chosen at random.
  { path: "/", part: "header, :nth-match(main .ProductSection, 2), footer", steps: [...CARD, ...FRAME] },
  {
    path: "/products",
    steps: [
      tick("checkbox", "In stock only"),
      tick("radio", "4 stars and up"),
      more(tick("radio", "2 stars and up")),
      { name: "category", act: (page) => filters(page).locator("input[name=category]").first().click() },
      more({ name: "another category", act: (page) => filters(page).locator("input[name=category]").nth(2).click() }),
      { name: "all brands", act: (page) => filters(page).locator("summary").last().click() },
      more({ name: "brand", act: (page) => filters(page).locator("input[name=brand]").first().click() }),
      press("link", /^Remove filter/),
      { name: "price", act: (page) => filters(page).getByRole("slider", { name: "Highest price" }).press("ArrowLeft") },
      choose("Sort by", "price-desc"),
      more(choose("Sort by", "rating-desc")),
      more(choose("Sort by", "price-asc")),
      more(choose("Sort by", "")),
      { name: "text", act: (page) => filters(page).getByRole("searchbox").fill("zzz") },
      press("link", "Clear all"),
      press("link", "Next page"),
      press("link", "Previous page"),
      more({ name: "second page", act: (page) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "2" }).click() }),
      ...CARD,
      enter("/products?rating=2", "All Products"),
      ...FAILED_CHANGE,
    ],
    announce: (watch) => { watch.expectStatus(503, 4); },
  },
  {
    path: "/category/beauty",
    steps: [
      tick("checkbox", "In stock only"),
      choose("Sort by", "price-desc"),
      enter("/brands", "Brands"),
      { name: "brand", act: (page) => page.locator(".BrandGroup-link").first().click() },
      enter("/categories", "Categories"),
      press("button", "List view"),
      type("Filter categories", "watches"),
      type("Filter categories", "zzz"),
      press("link", "Show all categories"),
      enter("/search/zzzz", 'Search Results for "zzzz"'),
      ...CARD,
      search("watch"),
      { name: "product", act: (page) => cards(page).first().getByRole("link").click() },
      { name: "back", act: (page) => page.goBack() },
      enter("/offline", "No connection to the shop"),
      visit("Brands"),
    ],
  },
  {
    path: "/product/6",
    steps: [
      press("button", "Increase quantity"),
      press("button", "Decrease quantity"),
      { name: "quantity", act: (page) => page.getByRole("spinbutton", { name: "Quantity" }).fill("3") },
      press("button", "Add to Cart"),
      more(press("button", "Save")),
      more(press("button", "Share")),
      press("button", "Next image"),
      more(press("button", "Previous image")),
      press("button", /^Show image 2/),
      { name: "next by key", act: (page) => gallery(page).press("ArrowRight") },
      { name: "zoom", act: (page) => gallery(page).getByRole("button", { name: /^Zoom in on / }).click() },
      { name: "the zoom ends", act: (page) => page.keyboard.press("Escape") },
      more(choose("Sort reviews by", "highest")),
      choose("Sort reviews by", "lowest"),
      ...CARD,
      {
        name: "related product",
        act: async (page) => {
          const title = await cards(page).first().getByRole("heading").innerText();
          await cards(page).first().getByRole("link").click();
          await expect(heading(page)).toHaveText(title);
        },
      },
      {
        name: "recently viewed",
        act: async (page) => {
          await page.locator(".RecentlyViewed-link").first().click();
          await expect(page).toHaveURL("/product/6");
        },
      },
    ],
  },
  {
    path: "/deals",
    steps: [
      ...pending("listing", /\/_data\/best-sellers/, (page) => page.getByRole("contentinfo").getByRole("link", { name: "Best Sellers" }).click()),
      ...pending("product", /\/_data\/product\//, (page) => cards(page).nth(2).getByRole("link").click()),
      visit("Brands"),
      ...FAILED_PAGE,
      enter("/product/999999", "Product not found"),
      press("link", "Browse all products"),
    ],
    announce: (watch) => {
      watch.expectStatus(500, "some");
      watch.expectStatus(404, "some");
    },
  },
  {
    path: "/no/such/page",
    part: "header, h1, footer",
    steps: [press("link", "Back to the homepage")],
    announce: (watch) => { watch.expectStatus(404, 2); },
  },
];

/** On a phone. */
const SMALL: readonly Journey[] = [
  {
    path: "/products",
    steps: [
      press("button", /^Filters/),
      tick("checkbox", "In stock only"),
      tick("radio", "2 stars and up"),
      { name: "price", act: (page) => filters(page).getByRole("slider", { name: "Highest price" }).press("ArrowLeft") },
      { name: "all cleared", act: (page) => page.getByRole("dialog").getByRole("link", { name: /^Clear all/ }).click() },
      tick("radio", "3 stars and up"),
      press("button", "Show results"),
      press("link", /^Remove filter/),
      press("button", /^Filters/),
      press("button", "Close filters"),
      { name: "menu", act: (page) => page.getByLabel("Menu", { exact: true }).click() },
      { name: "theme", act: (page) => page.locator(".MobileMenu").getByRole("button", { name: /^Switch to/ }).click() },
      { name: "categories", act: (page) => page.getByRole("navigation", { name: "Mobile" }).getByRole("link", { name: "Categories" }).click() },
    ],
  },
  {
    path: "/product/6",
    steps: [
      { name: "viewer", act: (page) => gallery(page).getByRole("button", { name: /^Zoom in on / }).first().tap() },
      press("button", "Next image"),
      press("button", "Previous image"),
      press("button", "Close"),
      { name: "the bar comes", act: (page) => page.getByRole("contentinfo").scrollIntoViewIfNeeded() },
      { name: "add", act: (page) => page.locator(".BuyBar").getByRole("button", { name: "Add to Cart" }).click() },
    ],
  },
];

function declare({ path, part, steps, announce }: Journey): void {
  const title = steps[0]?.name ?? "";
  test(`a translated page shows what another one shows: ${path}, ${title}`, async ({ page, context, watch }) => {
    announce?.(watch);
    const plain = await context.newPage();
    for (const each of [plain, page]) {
      each.on("dialog", (dialog) => dialog.accept());
      await open(each, path);
    }
    await translate(page);
    await compare(plain, page, steps.filter(({ isMore }) => isAll || isMore !== true), part);
    expect(await page.locator("#root font").count()).toBeGreaterThan(0);
    expect(watch.documents).toHaveLength(2);
  });
}

JOURNEYS.forEach(declare);

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
  SMALL.forEach(declare);
});
