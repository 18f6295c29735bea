import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { option } from "./listing";
import { cards, heading, searchField } from "./page";
import { shown } from "./translator";

/** Something that a visitor does. */
export interface Step {
  name: string;
  act: (page: Page) => Promise<unknown>;
  /** It leads to the error page. */
  fails?: true;
  /** It repeats other steps; only `BROWSER_TESTS=all` takes it. */
  isMore?: true;
}

const banner = (page: Page) => page.getByRole("banner");

/** Does the same on two pages, and expects the same of them after each step: address, texts, entries and states. */
export async function compare(plain: Page, page: Page, steps: readonly Step[], part?: string): Promise<void> {
  for (const { name, act, fails } of steps) {
    for (const each of [plain, page]) {
      // The browser draws less often what is not in front.
      await each.bringToFront();
      await act(each);
    }
    await expect(async () => {
      expect(page.url(), name).toBe(plain.url());
      expect(await shown(page, part), name).toBe(await shown(plain, part));
    }).toPass({ timeout: 30_000, intervals: [10, 20, 50, 100] });
    await expect(page.getByRole("heading", { level: 1, name: /^Oops/ }), name).toHaveCount(fails === true ? 1 : 0);
  }
}

export const tick = (role: "checkbox" | "radio", name: string): Step => ({ name, act: (page) => option(page, role, name).click() });

/** A press of the last visible element with this role and name. */
export const press = (role: "button" | "link", name: string | RegExp): Step => ({
  name: String(name),
  act: (page) => page.getByRole(role, { name, exact: true }).filter({ visible: true }).last().click(),
});

/** A link of the header. */
export const visit = (name: string): Step => ({
  name,
  act: (page) => banner(page).getByRole("link", { name, exact: true }).filter({ visible: true }).click(),
});

export const choose = (name: string, value: string): Step => ({
  name: value,
  act: (page) => page.getByRole("combobox", { name }).selectOption(value),
});

export const type = (name: string, text: string): Step => ({
  name: text,
  act: (page) => page.getByRole("main").getByRole("searchbox", { name }).fill(text),
});

/** Arrives at an address as by the forward button, so that no link to it is needed. */
export async function arrive(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
}

/** A page of the same document; its heading says that it is there. */
export const enter = (path: string, title: string): Step => ({
  name: path,
  act: async (page) => {
    await arrive(page, path);
    await expect(heading(page)).toHaveText(title);
  },
});

export const search = (text: string): Step => ({
  name: `search for ${text}`,
  act: async (page) => {
    await searchField(page).fill(text);
    await page.keyboard.press("Enter");
  },
});

export const CARD: readonly Step[] = [
  { name: "wishlist", act: (page) => cards(page).first().getByRole("button", { name: /^Wishlist/ }).click() },
  {
    name: "add",
    act: async (page) => {
      const button = cards(page).first().getByRole("button", { name: /^Add/ });
      await button.click();
      // A listing says so in a dialog, which would take the keys of the next step.
      await expect(button).toHaveClass(/AddButton--added/);
    },
  },
];

/** What surrounds every page. */
export const FRAME: readonly Step[] = [
  press("button", "All Categories"),
  { name: "the menu is closed", act: (page) => page.keyboard.press("Escape") },
  { name: "theme", act: (page) => banner(page).getByRole("button", { name: /^Switch to/ }).click() },
  {
    name: "newsletter",
    act: async (page) => {
      const field = page.getByRole("contentinfo").getByRole("textbox", { name: /email address/ });
      await field.fill("ada@example.com");
      await field.press("Enter");
    },
  },
];
