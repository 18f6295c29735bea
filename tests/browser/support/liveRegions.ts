import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";

/** Each region is something that a screen reader watches, and its user meets. */
const MOST = 5;

export async function expectFewRegions(page: Page, where: string): Promise<void> {
  const regions = await page.evaluate(() =>
    [...document.querySelectorAll("[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log], output")].map(
      ({ tagName, className }) => `${tagName} ${className}`,
    ),
  );
  expect(regions.length, `${where}: ${regions.join(", ")}`).toBeLessThanOrEqual(MOST);
}
