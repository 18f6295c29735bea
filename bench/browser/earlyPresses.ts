import type { Locator, Page } from "@playwright/test";
import { cards } from "../../tests/browser/support/page";

/** A press of a control that needs the client. */
export interface EarlyPress {
  name: string;
  path: string;
  /** Width of the window; without it that of a laptop. */
  width?: number;
  target: (page: Page) => Locator;
  /** Runs in the page: whether the press has taken effect. */
  isDone: () => boolean;
}

export const EARLY_PRESSES: readonly EarlyPress[] = [
  {
    name: "one more",
    path: "/product/1",
    target: (page) => page.getByRole("button", { name: "Increase quantity" }),
    // After the press, the quantity can be decreased.
    isDone: () => document.querySelector("main [aria-label='Decrease quantity']:not([aria-disabled=true])") !== null,
  },
  {
    name: "zoom",
    path: "/product/1",
    target: (page) => page.getByRole("button", { name: /^Zoom in on .*image 1 of/ }),
    isDone: () => document.querySelector("main [aria-pressed=true][role=button]") !== null,
  },
  {
    name: "the menu of categories",
    path: "/",
    target: (page) => page.getByRole("button", { name: "All Categories" }),
    isDone: () => document.querySelector("header [aria-expanded=true]") !== null,
  },
  {
    name: "the filters",
    path: "/products",
    width: 360,
    target: (page) => page.getByRole("button", { name: /^Filters/ }),
    isDone: () => document.querySelector("dialog[open]") !== null,
  },
  {
    name: "a card's wish",
    path: "/products",
    target: (page) => cards(page).first().getByRole("button", { name: /^Wishlist/ }),
    isDone: () => document.querySelector("article [aria-pressed=true]") !== null,
  },
  {
    name: "the theme",
    path: "/category/groceries",
    target: (page) => page.getByRole("banner").getByRole("button", { name: /^Switch to/ }).first(),
    isDone: () => document.documentElement.dataset.theme !== undefined,
  },
];
