import type { Page } from "@playwright/test";

/**
 * The translation adds this to each text. Playwright ignores it, so that texts and names are found as before; React
 * does not.
 */
const MARK = "\u200B";

/** What translators do with a text: put two elements in its place, as in Chrome, or change it, as in Firefox. */
export const WAYS = ["elements", "texts"] as const;
export type Way = (typeof WAYS)[number];

/** Translates the page, and goes on with what is new or changes, as browsers do. */
export async function translate(page: Page, way: Way = "elements"): Promise<void> {
  await page.evaluate(translateHere, { mark: MARK, way });
}

function translateHere({ mark, way }: { mark: string; way: Way }): void {
  const font = () => document.createElementNS("http://www.w3.org/1999/xhtml", "font");
  const replace = (text: Text) => {
    const [outer, inner] = [font(), font()];
    inner.append(text.data + mark);
    outer.append(inner);
    text.replaceWith(outer);
  };
  // In an option there are no elements.
  const translated = way === "elements" ? "font,option,script,style" : "script,style";
  const all = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (text.data.trim() === "" || text.data.endsWith(mark) || text.parentElement?.closest(translated) !== null) continue;
      if (way === "elements") replace(text);
      else text.data += mark;
    }
  };
  const root = document.querySelector("#root");
  if (root === null) throw new Error("there is no root element");
  document.documentElement.lang = "de";
  all(root);
  new MutationObserver(() => { all(root); }).observe(root, { subtree: true, childList: true, characterData: true });
}

/** The attributes that say the state of a control. */
const STATES = ["aria-label", "aria-expanded", "aria-pressed", "aria-current", "aria-busy", "open"];

/** The content of a part of the page: its texts in their first language, and the values and states of its controls. */
export async function shown(page: Page, selector = "#root"): Promise<string> {
  const text = await page.locator(selector).evaluateAll((parts, states) => {
    return parts.map((part) => {
      const fields = [...part.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input,select")];
      const entries = fields.map((field) => `${field.className} ${field.value} ${String((field as HTMLInputElement).checked)}`);
      const stateful = [...part.querySelectorAll(states.map((name) => `[${name}]`).join())];
      const state = stateful.map((element) => `${element.className} ${states.map((name) => element.getAttribute(name)).join()}`);
      return [part.textContent, ...entries, ...state].join("\n");
    }).join("\n");
  }, STATES);
  return text.replaceAll(MARK, "");
}
