import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { filters, option } from "../../tests/browser/support/listing";
import { cards, heading } from "../../tests/browser/support/page";

/** A phone that is touched, and a laptop with a mouse. */
export type Device = "phone" | "laptop";

export interface Interaction {
  name: string;
  device: Device;
  path: string;
  /** Brings the page to the state in which the visitor presses. */
  prepare?: (page: Page) => Promise<void>;
  /** The element to press. */
  target: (page: Page) => Locator;
  /** Whether an alert answers the press. */
  opensAlert?: boolean;
  /** Waits until the result of the press is there. */
  done: (page: Page) => Promise<void>;
}

const LISTINGS = ["/products", "/category/groceries"];
const PRODUCT = "/product/1";

/** The phone's panel and the laptop's sidebar hold the same form. */
const FACET = {
  target: (page: Page) => option(page, "checkbox", "In stock only"),
  done: async (page: Page) => {
    await expect(page).toHaveURL(/stock=1/);
    await expect(page.getByRole("list", { name: "Active filters" }).first()).toBeAttached();
  },
};

const PRODUCT_LINK = {
  // The second one, so that the link differs from what the pointer happens to rest on.
  target: (page: Page) => cards(page).nth(1).getByRole("link"),
  done: async (page: Page) => {
    await expect(page).toHaveURL(/\/product\/\d+$/);
    await expect(page.getByRole("group", { name: "Product images" })).toBeVisible();
  },
};

const ADD_CARD = {
  target: (page: Page) => cards(page).nth(1).getByRole("button", { name: /^Add/ }),
  opensAlert: true,
  done: async (page: Page) => { await expect(heading(page)).toBeVisible(); },
};

const MAIN_PICTURE = (page: Page) => page.getByRole("group", { name: "Product images" }).getByRole("button", { name: /^Zoom in on / });

async function openPanel(page: Page) {
  await page.getByRole("button", { name: /^Filters/ }).tap();
  await expect(page.getByRole("dialog", { name: "Filters" })).toBeVisible();
  await FACET.target(page).scrollIntoViewIfNeeded();
}

function onListing(path: string): Interaction[] {
  const at = (name: string, device: Device) => ({ name, device, path });
  return [
    {
      ...at("open the filters", "phone"),
      target: (page) => page.getByRole("button", { name: /^Filters/ }),
      done: async (page) => { await expect(filters(page)).toBeVisible(); },
    },
    { ...at("a facet in the panel", "phone"), prepare: openPanel, ...FACET },
    { ...at("a facet in the sidebar", "laptop"), ...FACET },
    { ...at("open a product", "phone"), ...PRODUCT_LINK },
    { ...at("open a product", "laptop"), ...PRODUCT_LINK },
    {
      ...at("open the menu", "phone"),
      target: (page) => page.getByLabel("Menu", { exact: true }),
      done: async (page) => { await expect(page.getByRole("navigation", { name: "Mobile" })).toBeVisible(); },
    },
    {
      ...at("open All Categories", "laptop"),
      target: (page) => page.getByRole("button", { name: "All Categories" }),
      done: async (page) => {
        await expect(page.getByRole("navigation", { name: "Main" }).getByRole("list").first()).toBeVisible();
      },
    },
    { ...at("add a card's product", "phone"), ...ADD_CARD },
    { ...at("add a card's product", "laptop"), ...ADD_CARD },
  ];
}

export const INTERACTIONS: readonly Interaction[] = [
  ...LISTINGS.flatMap(onListing),
  {
    name: "zoom",
    device: "phone",
    path: PRODUCT,
    target: MAIN_PICTURE,
    done: async (page) => { await expect(page.getByRole("dialog", { name: /full screen/ })).toBeVisible(); },
  },
  {
    name: "zoom",
    device: "laptop",
    path: PRODUCT,
    target: MAIN_PICTURE,
    done: async (page) => { await expect(MAIN_PICTURE(page)).toHaveAttribute("aria-pressed", "true"); },
  },
  ...(["phone", "laptop"] as const).map((device) => ({
    name: "Add to Cart",
    device,
    path: PRODUCT,
    target: (page: Page) => page.getByRole("main").getByRole("button", { name: "Add to Cart" }).first(),
    done: async (page: Page) => { await expect(heading(page)).toBeVisible(); },
  })),
];
