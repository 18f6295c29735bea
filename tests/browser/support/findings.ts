import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { isAll } from "./test";

/** The rules that ask for colours. The dark theme changes nothing else, but for the label of its switch. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Items of a list are alike; axe would take most of its time for those of a listing and its filters. */
const FURTHER_ITEMS = ":is(li, label):nth-child(n+9)";

/** What axe finds on the page as it is, in both themes. */
export async function findings(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Each element changes its colours by a transition of its own, which starts when its parent's has ended.
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
    const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
    if (!isAll) axe.exclude(FURTHER_ITEMS);
    if (colorScheme === "dark") axe.withRules(COLOUR_RULES);
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations) {
      for (const { target, failureSummary } of nodes) {
        found.push(`${colorScheme}: ${id}: ${target.join(" ")}: ${failureSummary ?? ""}`);
      }
    }
  }
  return found;
}
