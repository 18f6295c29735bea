import { expect } from "@playwright/test";
import type { Page, Response } from "@playwright/test";
import { open } from "./page";

/** A page that the client has taken over. */
export interface Hydrated {
  response: Response;
  /** What the server sent. */
  document: string;
  /** What became of it, as {@link outline} writes it. */
  outlined: string;
}

/**
 * Opens an address and checks that the client took over what was served as it was: the document
 * afterwards is the served one, and nothing was changed and changed back in between.
 */
export async function expectUnchangedByHydration(page: Page, path: string): Promise<Hydrated> {
  await page.addInitScript(recordChanges);
  const response = await open(page, path);
  const document = await response.text();
  const served = await parsed(page, document);
  const hydrated = await page.locator("#root").evaluate((root) => root.outerHTML);
  expect(firstDifference(served, hydrated), path).toBeNull();
  expect(await page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes), path).toEqual([]);
  return { response, document, outlined: await page.locator("#root").evaluate(outline) };
}

/** What stands between the root element's tags and after them. */
const MARKUP = /(<div id="root">).*(<\/div>\s*<script type="application\/json" id="page-data">)/s;

/**
 * Checks that the hydrated document is the one that the browser renders itself from the same data, when the
 * server sends no markup. React in production keeps attributes that differ, and says nothing.
 */
export async function expectHydratedAsRendered(page: Page, path: string, { document, outlined }: Hydrated): Promise<void> {
  expect(document).toMatch(MARKUP);
  await page.route(page.url(), (route) =>
    route.fulfill({ body: document.replace(MARKUP, "$1$2"), contentType: "text/html; charset=utf-8" }),
  );
  await open(page, path);
  const rendered = await page.locator("#root").evaluate(outline);
  expect(firstDifference(outlined, rendered), path).toBeNull();
}

/**
 * Elements, attributes and texts in one form: adjacent texts are one, attributes are in order, controls have
 * what they show instead of what they showed first, and the ids that React makes, whose names tell where they
 * were made, are numbered.
 */
function outline(root: Element): string {
  const ids = new Map<string, string>();
  const unnamed = (value: string) =>
    value.replace(/_[rR]_\w*_/g, (id) => {
      const number = ids.get(id) ?? `id ${ids.size}`;
      ids.set(id, number);
      return number;
    });
  function write(node: Node): string {
    if (node instanceof Text) return node.data;
    // The server's hints and styles are not part of what is rendered.
    if (!(node instanceof Element) || node.matches("link[rel=preload], style")) return "";
    const state: [string, string][] = [];
    if (node instanceof HTMLInputElement) state.push(["value", node.value], ["checked", String(node.checked)]);
    if (node instanceof HTMLOptionElement) state.push(["value", node.value], ["selected", String(node.selected)]);
    const others = [...node.attributes].filter(({ name }) => !state.some(([shown]) => shown === name));
    const attributes = [...state, ...others.map(({ name, value }) => [name, unnamed(value)] as const)]
      .map(([name, value]) => ` ${name}="${value}"`)
      .sort();
    return `<${node.localName}${attributes.join("")}>${[...node.childNodes].map(write).join("")}</>\n`;
  }
  return write(root);
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
  // The client waits until everything served is parsed, which this event says.
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
function firstDifference(expected: string, actual: string): { expected: string; actual: string } | null {
  if (expected === actual) return null;
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at += 1;
  const from = Math.max(0, at - 80);
  return { expected: expected.slice(from, from + 200), actual: actual.slice(from, from + 200) };
}
