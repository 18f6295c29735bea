import type { Page } from "@playwright/test";

/**
 * The translation adds this to each text. Playwright ignores it, so that texts and names are found as before; React
 * does not.
 */
const MARK = "\u200B";

/** Translates the page, and goes on with what is new or changes, as browsers do. */
export async function translate(page: Page): Promise<void> {
  await page.evaluate(translateHere, MARK);
}

/** Puts two elements in the place of each text that is not there for space alone, as the translator of Chrome does. */
function translateHere(mark: string): void {
  const font = () => document.createElementNS("http://www.w3.org/1999/xhtml", "font");
  const all = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      // In an option there are no elements.
      if (text.data.trim() === "" || text.parentElement?.closest("font,option,script") !== null) continue;
      const [outer, inner] = [font(), font()];
      inner.append(text.data + mark);
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  const root = document.querySelector("#root");
  if (root === null) throw new Error("there is no root element");
  all(root);
  new MutationObserver(() => { all(root); }).observe(root, { subtree: true, childList: true, characterData: true });
}

/** The content of a part of the page: its texts in their first language, and the values of its controls. */
export async function shown(page: Page, selector = "#root"): Promise<string> {
  const text = await page.locator(selector).evaluate((part) => {
    const fields = [...part.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input,select")];
    const entries = fields.map((field) => `${field.className} ${field.value} ${String((field as HTMLInputElement).checked)}`);
    return [part.textContent, ...entries].join("\n");
  });
  return text.replaceAll(MARK, "");
}
