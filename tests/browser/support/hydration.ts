import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { open } from "./page";

/**
 * Opens an address and checks that the client took over what was served as it was: the document
 * afterwards is the served one, and nothing was changed and changed back in between.
 */
export async function expectUnchangedByHydration(page: Page, path: string): Promise<void> {
  await page.addInitScript(recordChanges);
  const response = await open(page, path);
  const served = await parsed(page, await response.text());
  const hydrated = await page.locator("#root").evaluate((root) => root.outerHTML);
  expect(firstDifference(served, hydrated), path).toBeNull();
  expect(await page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes), path).toEqual([]);
}

/** The root element as the browser's own parser reads it, on a page that the shop's policy does not rule. */
async function parsed(page: Page, document: string): Promise<string> {
  const blank = await page.context().newPage();
  const root = await blank.evaluate(
    (html) => new DOMParser().parseFromString(html, "text/html").querySelector("#root")?.outerHTML ?? "",
    document,
  );
  await blank.close();
  return root;
}

function recordChanges(): void {
  const changes: string[] = [];
  Object.assign(globalThis, { changes });
  // Scripts of the type module run after this event, when everything served is parsed.
  document.addEventListener("readystatechange", () => {
    const root = document.querySelector("#root");
    if (document.readyState !== "interactive" || root === null) return;
    new MutationObserver((records) => {
      for (const { type, target, attributeName, oldValue } of records) {
        // React writes what an input already has.
        const same = target instanceof Element && oldValue === target.getAttribute(attributeName ?? "");
        if (type !== "attributes" || !same) changes.push(`${type} ${target.nodeName} ${attributeName ?? ""}`);
      }
    }).observe(root, { subtree: true, childList: true, attributeOldValue: true, characterData: true });
  });
}

/** Where two texts part, because the whole of them fills the screen. */
function firstDifference(served: string, hydrated: string): { served: string; hydrated: string } | null {
  if (served === hydrated) return null;
  let at = 0;
  while (at < served.length && served[at] === hydrated[at]) at += 1;
  const from = Math.max(0, at - 80);
  return { served: served.slice(from, from + 200), hydrated: hydrated.slice(from, from + 200) };
}
