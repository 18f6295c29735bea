import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { filters, option } from "./listing";
import { gate, heading } from "./page";
import { press } from "./sideBySide";
import type { Step } from "./sideBySide";

// Steps whose data comes late, or does not come.

/** A change of the filters whose data is refused, once more after the notice is closed, and then tried again. */
export const FAILED_CHANGE: readonly Step[] = [
  {
    name: "a change fails",
    act: async (page) => {
      await page.route(/\/_data\/products\?.*stock=1/, (route) => route.fulfill({ status: 503, json: {} }));
      await refused(page);
    },
  },
  press("button", "Close this notice"),
  { name: "it fails again", act: refused },
  {
    name: "it is tried again",
    act: async (page) => {
      await page.unrouteAll({ behavior: "wait" });
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(filters(page).getByRole("checkbox", { name: "In stock only" })).toBeChecked();
    },
  },
];

async function refused(page: Page): Promise<void> {
  await option(page, "checkbox", "In stock only").click();
  await expect(page.getByText("The shop did not answer, so nothing has changed.")).toBeVisible();
}

/** What is shown while data is on its way, and then the page. */
export function pending(name: string, data: RegExp, follow: (page: Page) => Promise<unknown>): readonly Step[] {
  const releases = new Map<Page, () => void>();
  return [
    {
      name: `${name}, pending`,
      act: async (page) => {
        const { opened, open } = gate();
        releases.set(page, open);
        await page.route(data, async (route) => {
          await opened;
          await route.continue();
        });
        await follow(page);
        await expect(page.getByRole("status").filter({ hasText: /^Loading/ })).toBeVisible();
      },
    },
    {
      name,
      act: async (page) => {
        releases.get(page)?.();
        await expect(page.getByRole("status").filter({ hasText: /^Loading/ })).toHaveCount(0);
      },
    },
  ];
}

/** A page whose data fails twice: the error page, "Try again", and then the page. */
export const FAILED_PAGE: readonly Step[] = [
  {
    name: "a page fails",
    fails: true,
    act: async (page) => {
      await page.route(/\/_data\/deals/, (route) => route.fulfill({ status: 500, body: "broken" }));
      await page.getByRole("banner").getByRole("link", { name: "Deals" }).click();
      await expect(heading(page)).toHaveText(/^Oops/);
    },
  },
  { ...press("button", "Try again"), fails: true },
  {
    name: "it is tried again",
    act: async (page) => {
      await page.unrouteAll({ behavior: "wait" });
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(heading(page)).toHaveText("Deals");
    },
  },
];
