import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import type { Page } from "@playwright/test";
import { CLIENT } from "../support/client";
import { resize, WIDTHS } from "../support/page";
import { startVitrine } from "../support/server";
import { expect, test } from "../support/test";
import { onlyTypefaces, TYPEFACES } from "../support/typefaces";
import type { Typeface } from "../support/typefaces";

/** Names with narrow letters, wide letters and accents. */
const NAMES = ["Vitrine", "Illiill Mini", "WM Möbel", "Café Zoë", "Wood & Wool"];
const LONG_NAME = "Blumen Wiesengrund & Söhne, seit 1921";

/** Holds back what changes a page after the first paint: the display typeface and the client. */
async function holdLater(page: Page): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  for (const later of [/\.woff2$/, CLIENT]) {
    await page.route(later, async (route) => {
      await held;
      await route.continue();
    });
  }
  return release;
}

/** Where the parts of the header are, and which of them overlap. */
async function header(page: Page) {
  return page.evaluate(() => {
    const parts = document.querySelectorAll(".Logo, .MainNav-link, .CategoryMenu-trigger, .SearchBox, .HeaderActions .icon-button");
    const shown = [...parts].map((part) => ({ part, box: part.getBoundingClientRect() })).filter(({ box }) => box.width > 0);
    const places = shown.map(({ part, box: { x, y, width, height } }) => `${part.className} ${[x, y, width, height].join()}`);
    const overlaps = shown.flatMap(({ part, box }, index) =>
      shown.slice(index + 1).flatMap(({ part: other, box: beside }) => {
        const [wide, high] = [
          Math.min(box.right, beside.right) - Math.max(box.left, beside.left),
          Math.min(box.bottom, beside.bottom) - Math.max(box.top, beside.top),
        ];
        return wide > 1 && high > 1 ? [`${part.className} and ${other.className}`] : [];
      }),
    );
    return { places, overlaps };
  });
}

/** Which of these names do not fit into the width that the logo has for them. */
async function cutNames(page: Page, names: string[]): Promise<string[]> {
  return page.evaluate((names) => {
    const [logo, name] = [document.querySelector<HTMLElement>(".Logo"), document.querySelector(".Logo > span")];
    if (logo === null || name === null) return ["no logo"];
    return names.filter((text) => {
      name.textContent = text;
      logo.dataset.name = text;
      const letters = document.createRange();
      letters.selectNodeContents(name);
      return letters.getBoundingClientRect().width > name.getBoundingClientRect().width;
    });
  }, names);
}

/** What {@link header} finds in each window. */
async function headers(page: Page) {
  const found: Record<number, Awaited<ReturnType<typeof header>>> = {};
  for (const width of WIDTHS) {
    await resize(page, width);
    found[width] = await header(page);
  }
  return found;
}

/** The names that some window cuts off. */
async function cutSomewhere(page: Page): Promise<string[]> {
  const cut: string[] = [];
  for (const width of WIDTHS) {
    await resize(page, width);
    cut.push(...(await cutNames(page, NAMES)).map((name) => `${name} at ${width} pixels`));
  }
  return cut;
}

for (const typeface of Object.keys(TYPEFACES) as Typeface[]) {
  test(`the header's parts keep their places when display typeface and client arrive, beside ${typeface}`, async ({ shop, launchOptions }) => {
    const folder = mkdtempSync(join(tmpdir(), "vitrine-"));
    const file = join(folder, "shop.toml");
    writeFileSync(file, `name = "${LONG_NAME}"\n`);
    const longNamed = await startVitrine("--shop", file);
    const browser = await chromium.launch({ ...launchOptions, env: onlyTypefaces(typeface) });
    try {
      const arrive = async (address: string) => {
        const page = await browser.newPage();
        const release = await holdLater(page);
        await page.goto(`${address}/categories`, { waitUntil: "commit" });
        await page.waitForFunction(() => document.getElementById("page-data") !== null && [...document.styleSheets].some(({ href }) => href !== null));
        return { page, release };
      };
      // Other names are written into the page, which the client could not take over then.
      const unused = await arrive(shop.address);
      expect(await cutSomewhere(unused.page), "before").toEqual([]);
      for (const address of [shop.address, longNamed.address]) {
        const { page, release } = await arrive(address);
        const before = await headers(page);
        for (const { overlaps } of Object.values(before)) expect(overlaps).toEqual([]);
        release();
        await page.waitForFunction(
          () => "client" in document.documentElement.dataset && [...document.fonts].some(({ family, status }) => family.includes("Vitrine Display") && status === "loaded"),
        );
        expect(await headers(page)).toEqual(before);
        expect(await cutSomewhere(page), "after").toEqual([]);
      }
    } finally {
      await browser.close();
      await longNamed.stop();
      rmSync(folder, { recursive: true });
    }
  });
}
