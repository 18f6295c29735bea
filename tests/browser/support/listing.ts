import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { cards, cardTitles } from "./page";
import type { Product } from "./products";

export const PAGE_SIZE = 48;

/** The filter form: the sidebar, or the dialog on small screens. */
export function filters(page: Page): Locator {
  return page.locator("form#filter-form");
}

/** The line above the results; the dialog has its own. */
export function resultCount(page: Page): Locator {
  return page.locator("#result-count");
}

export function chips(page: Page): Locator {
  return page.getByRole("list", { name: "Active filters" }).getByRole("link", { name: /^Remove filter/ });
}

/** The listing shows exactly these products: their number, and the first page of them in order. */
export async function expectListing(page: Page, products: readonly Product[]): Promise<void> {
  const count = products.length === 1 ? "1 product" : `${products.length} products`;
  await expect(resultCount(page)).toHaveText(count);
  await expect(cards(page)).toHaveCount(Math.min(products.length, PAGE_SIZE));
  await expect.poll(() => cardTitles(page)).toEqual(products.slice(0, PAGE_SIZE).map(({ title }) => title));
}

/** The count beside a choice of a filter group, such as `12` of `Beauty (12 products)`. */
export async function countOf(option: Locator): Promise<number> {
  const text = await option.locator("xpath=ancestor::label").innerText();
  return Number(/(\d+) products?\)\s*$/.exec(text)?.[1]);
}

/** The counts of all check boxes that are shown, by name. Faster than {@link countOf} for each of a hundred. */
export async function countsOfBoxes(page: Page): Promise<Map<string, number>> {
  const found = await filters(page).getByRole("checkbox").evaluateAll((boxes) =>
    boxes.map((box) => {
      const text = (part: string) => box.closest("label")?.querySelector(part)?.textContent.trim() ?? "";
      return [text(".FilterOption-name"), text(".FilterOption-count > .visually-hidden")] as const;
    }),
  );
  return new Map(found.map(([name, count]) => [name, Number(/^\((?:all )?(\d+) products?\)$/.exec(count)?.[1])]));
}

export function option(page: Page, role: "checkbox" | "radio", name: string): Locator {
  // The count follows the name.
  return filters(page).getByRole(role, { name: new RegExp(`^${escape(name)}( \\((all )?\\d+ products?\\))?$`) });
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
