import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { chips, option } from "./listing";
import { cards } from "./page";
import type { Watch } from "./watch";

export const quantityField = (page: Page) => page.getByRole("spinbutton", { name: "Quantity" });
const newsletter = (page: Page) => page.getByRole("contentinfo").getByRole("textbox", { name: /email address/ });

export interface Press {
  name: string;
  path: string;
  width?: number;
  press: (page: Page) => Promise<void>;
  /** How many presses the client repeats. It does not repeat typing and choices: it reads them from the fields. */
  repeated: number;
  /** What the press leads to once the client is there. */
  effect: (page: Page, watch: Watch) => Promise<void>;
}

/** One control of each kind that the loader tells apart; the others are left to `BROWSER_TESTS=all`. */
export const KINDS = [
  "zoom",
  "one more, twice",
  "Add to Cart after a quantity",
  "the order of reviews",
  "the menu of categories",
  "the menu of categories, by the space bar",
  "the filters of a small window",
  "a facet",
  "a card's Add",
  "the newsletter",
];

/** The controls that can be pressed before the client is there, except links and the search. */
export const PRESSES: readonly Press[] = [
  {
    name: "Add to Cart",
    path: "/product/1",
    press: (page) => page.getByRole("button", { name: "Add to Cart" }).first().click(),
    repeated: 1,
    effect: async (page, watch) => {
      const quantity = await quantityField(page).inputValue();
      await expect.poll(() => watch.logs).toEqual([expect.stringMatching(new RegExp(`^Add to cart: .* ${quantity}$`))]);
    },
  },
  {
    name: "Save",
    path: "/product/1",
    press: (page) => page.getByRole("button", { name: "Save" }).click(),
    repeated: 1,
    effect: async (_, watch) => {
      await expect.poll(() => watch.logs).toEqual([expect.stringMatching(/^Save: /)]);
    },
  },
  {
    name: "a thumbnail",
    path: "/product/6",
    press: (page) => page.getByRole("button", { name: /^Show image 2 of/ }).click(),
    repeated: 1,
    effect: async (page) => {
      await expect(page.getByRole("button", { name: /^Show image 2 of/ })).toHaveAttribute("aria-current", "true");
    },
  },
  {
    name: "zoom",
    path: "/product/1",
    press: (page) => page.getByRole("button", { name: /^Zoom in on .*image 1 of/ }).click(),
    repeated: 1,
    effect: async (page) => {
      await expect(page.getByRole("button", { name: /^Zoom in on .*image 1 of/ })).toHaveAttribute("aria-pressed", "true");
    },
  },
  {
    name: "one more, twice",
    path: "/product/1",
    press: async (page) => {
      const start = Number(await quantityField(page).inputValue());
      await page.evaluate((quantity) => Object.assign(globalThis, { expected: quantity + 2 }), start);
      await page.getByRole("button", { name: "Increase quantity" }).click();
      await page.getByRole("button", { name: "Increase quantity" }).click();
    },
    repeated: 2,
    effect: async (page) => {
      const expected = await page.evaluate(() => (globalThis as unknown as { expected: number }).expected);
      await expect(quantityField(page)).toHaveValue(String(expected));
    },
  },
  {
    name: "Add to Cart after a quantity",
    path: "/product/1",
    press: async (page) => {
      await quantityField(page).fill("77");
      await page.getByRole("button", { name: "Add to Cart" }).first().click();
    },
    repeated: 1,
    effect: async (_, watch) => {
      await expect.poll(() => watch.logs).toEqual([expect.stringMatching(/^Add to cart: .* 77$/)]);
    },
  },
  {
    name: "the order of reviews",
    path: "/product/1",
    press: async (page) => {
      await page.getByRole("combobox", { name: "Sort reviews by" }).selectOption("Lowest rated");
    },
    repeated: 0,
    effect: async (page) => {
      const stars = page.locator(".Reviews-item").getByRole("img", { name: /^Rated/ });
      await expect(page.getByRole("combobox", { name: "Sort reviews by" })).toHaveValue("lowest");
      const isSorted = async () => {
        const labels = await stars.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
        const ratings = labels.map((label) => Number.parseFloat(/[\d.]+/.exec(label)?.[0] ?? ""));
        return ratings.length > 1 && ratings.every((rating, at) => at === 0 || (ratings[at - 1] ?? 0) <= rating);
      };
      await expect.poll(isSorted).toBe(true);
    },
  },
  {
    name: "the menu of categories",
    path: "/",
    press: (page) => page.getByRole("button", { name: "All Categories" }).click(),
    repeated: 1,
    effect: async (page) => {
      await expect(page.getByRole("button", { name: "All Categories" })).toHaveAttribute("aria-expanded", "true");
      await expect(page).toHaveURL(/\/$/);
    },
  },
  {
    name: "the menu of categories, by the space bar",
    path: "/",
    press: (page) => page.getByRole("button", { name: "All Categories" }).press(" "),
    repeated: 1,
    effect: async (page) => {
      await expect(page.getByRole("button", { name: "All Categories" })).toHaveAttribute("aria-expanded", "true");
    },
  },
  {
    name: "the filters of a small window",
    path: "/products",
    width: 360,
    press: (page) => page.getByRole("button", { name: /^Filters/ }).click(),
    repeated: 1,
    effect: async (page) => {
      await expect(page.getByRole("dialog", { name: "Filters" })).toBeVisible();
      expect(new URL(page.url()).hash).toBe("");
    },
  },
  {
    name: "a facet",
    path: "/products",
    press: (page) => option(page, "checkbox", "In stock only").check(),
    repeated: 0,
    effect: async (page) => {
      await expect(page).toHaveURL("/products?stock=1");
      await expect(chips(page)).toHaveCount(1);
      await expect(option(page, "checkbox", "In stock only")).toBeChecked();
    },
  },
  {
    name: "the order of products",
    path: "/products",
    press: async (page) => {
      await page.getByRole("combobox", { name: "Sort by" }).selectOption("Price: High to Low");
    },
    repeated: 0,
    effect: async (page) => {
      await expect(page).toHaveURL("/products?sort=price-desc");
      await expect(page.getByRole("combobox", { name: "Sort by" })).toHaveValue("price-desc");
    },
  },
  {
    name: "a card's Add",
    path: "/products",
    press: (page) => cards(page).first().getByRole("button", { name: /^Add/ }).click(),
    repeated: 1,
    effect: async (page, watch) => {
      await expect.poll(() => watch.logs.length).toBe(1);
      await expect(page.getByRole("button", { name: /^Adding/ })).toHaveCount(0);
      expect(watch.logs).toHaveLength(1);
    },
  },
  {
    name: "the theme",
    path: "/",
    press: (page) => page.getByRole("banner").getByRole("button", { name: "Switch to dark theme" }).click(),
    repeated: 1,
    effect: (page) => expect(page.locator("html")).toHaveAttribute("data-theme", "dark"),
  },
  {
    name: "the newsletter",
    path: "/",
    press: async (page) => {
      await newsletter(page).fill("ada@example.com");
      await newsletter(page).press("Enter");
    },
    repeated: 1,
    effect: async (page, watch) => {
      await expect.poll(() => watch.logs).toEqual(["Newsletter subscription: ada@example.com"]);
      await expect(page.getByText("Thank you for your interest!")).toBeVisible();
      await expect(page).toHaveURL(/\/$/);
    },
  },
  {
    name: "the layout of categories",
    path: "/categories",
    press: (page) => page.getByRole("button", { name: "List view" }).click(),
    repeated: 1,
    effect: (page) => expect(page.getByRole("button", { name: "List view" })).toHaveAttribute("aria-pressed", "true"),
  },
  {
    name: "the filter of categories",
    path: "/categories",
    press: (page) => page.getByRole("searchbox", { name: "Filter categories" }).fill("watches"),
    repeated: 0,
    effect: async (page) => {
      await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(2);
      await expect(page.getByRole("searchbox", { name: "Filter categories" })).toHaveValue("watches");
    },
  },
];
