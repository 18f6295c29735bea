import type { Locator, Page } from "@playwright/test";
import { gate, hydrated, open, resize } from "../support/page";
import { expect, test } from "../support/test";

const TYPEFACE = "**/assets/display-*.woff2";

/** Where every heading stands, from top to bottom, and the height of the page. */
async function headings(page: Page): Promise<unknown> {
  return page.evaluate(() => ({
    headings: [...document.querySelectorAll("h1, h2, h3")].map((heading) => {
      const { y, height } = heading.getBoundingClientRect();
      return `${heading.textContent} at ${String(Math.round(y + scrollY))}, ${String(Math.round(height))} high`;
    }),
    height: document.documentElement.scrollHeight,
  }));
}

test("nothing moves when the typeface of the headings arrives", async ({ page }) => {
  for (const path of ["/", "/products", "/product/1", "/categories"]) {
    const held = gate();
    await page.route(TYPEFACE, async (route) => {
      await held.opened;
      await route.continue();
    });
    // The load event waits for the typeface, so a control wakes the client.
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await page.locator("button").first().dispatchEvent("focusin");
    await page.waitForFunction(() => document.documentElement.dataset.client === "ready");
    const loaded = () => page.evaluate(() => [...document.fonts].some(({ family, status }) => family.includes("Vitrine") && status === "loaded"));
    expect(await loaded()).toBe(false);
    const places = async () => {
      const found: unknown[] = [];
      for (const width of [1280, 360]) {
        await resize(page, width);
        // The client adds it, with room for it below the page, once it has seen where the page's own button is.
        if (width === 360 && path === "/product/1") await expect(page.locator(".BuyBar")).toBeVisible();
        found.push(await headings(page));
      }
      return found;
    };
    const before = await places();
    held.open();
    await hydrated(page);
    await expect.poll(loaded).toBe(true);
    expect(await places(), path).toEqual(before);
    await page.unroute(TYPEFACE);
  }
});

test("a page loads one file of the typeface, of at most 25,000 bytes, and keeps it", async ({ page }) => {
  const files: { type: string | undefined; caching: string | undefined; encoding: string | undefined; bytes: number }[] = [];
  page.on("response", (response) => {
    if (!response.url().endsWith(".woff2")) return;
    void response.body().then((body) => {
      const { "content-type": type, "cache-control": caching, "content-encoding": encoding } = response.headers();
      files.push({ type, caching, encoding, bytes: body.length });
    });
  });
  await open(page, "/");
  await page.evaluate(() => document.fonts.ready);
  await expect.poll(() => files.length).toBe(1);
  expect(files[0]).toMatchObject({ type: "font/woff2", encoding: undefined });
  expect(files[0]?.caching).toContain("immutable");
  expect(files[0]?.bytes).toBeLessThanOrEqual(25_000);
});

test("the colour of the browser's bars is the colour of the strip, whatever the theme", async ({ page }) => {
  const bars = () =>
    page.evaluate(() => {
      const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].filter(({ media }) => matchMedia(media).matches);
      return metas.map(({ content }) => {
        const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(content.slice(at, at + 2), 16));
        return `rgb(${String(red)}, ${String(green)}, ${String(blue)})`;
      });
    });
  const strip = () => page.locator(".PromiseStrip").evaluate((element) => getComputedStyle(element).backgroundColor);
  await open(page, "/");
  const light = await strip();
  expect(await bars()).toEqual([light]);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await strip();
  expect(dark).not.toBe(light);
  expect(await bars()).toEqual([dark]);
  await page.getByRole("button", { name: "Switch to light theme" }).click();
  expect(await bars()).toEqual([light]);
  await page.reload();
  await hydrated(page);
  expect(await bars()).toEqual([light]);
});

/** The lower edge of the header. */
async function headerBottom(page: Page): Promise<number> {
  return page.getByRole("banner").evaluate((header) => Math.round(header.getBoundingClientRect().bottom));
}

for (const width of [360, 768]) {
  test(`at ${width} px a page that was scrolled has a lower header, with menu, search and cart, and the whole one for the keyboard`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(page, "/products");
    const whole = await headerBottom(page);
    await page.evaluate(() => { scrollTo(0, 1500); });
    await expect.poll(() => headerBottom(page)).toBeLessThan(whole - 60);
    expect(await headerBottom(page)).toBeLessThanOrEqual(64);
    const banner = page.getByRole("banner");
    const menu = width < 768 ? banner.getByLabel("Menu", { exact: true }) : banner.getByRole("button", { name: "All Categories" });
    for (const control of [menu, banner.getByRole("searchbox"), banner.getByRole("button", { name: /^Cart/ })]) {
      await expect(control).toBeInViewport({ ratio: 1 });
    }
    // A heading that a link or the focus leads to stands below the header and its awning.
    const padding = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart));
    expect(padding).toBeGreaterThanOrEqual(await headerBottom(page));
    expect(padding).toBeLessThan((await headerBottom(page)) + 30);

    // The row that was scrolled away comes back for the keyboard.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    const logo = banner.getByRole("link", { name: "Vitrine, home" });
    await expect(logo).toBeFocused();
    await expect(logo).toBeInViewport({ ratio: 1 });
    while (!(await banner.getByRole("button", { name: "Account" }).evaluate((account) => account === document.activeElement))) {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus");
      expect(await banner.evaluate((header) => header.contains(document.activeElement))).toBe(true);
      await expect(focused).toBeInViewport({ ratio: 1 });
    }
  });
}

async function smallTargets(within: Locator): Promise<string[]> {
  return within.locator("a, button, summary, input").filter({ visible: true }).evaluateAll((controls) =>
    controls.flatMap((control) => {
      const { width, height } = control.getBoundingClientRect();
      return width < 44 || height < 44 ? [`${control.textContent}: ${String(width)} × ${String(height)}`] : [];
    }),
  );
}

test("everything in the header and the footer is large enough for a finger", async ({ page }) => {
  await open(page, "/");
  for (const width of [360, 768, 1280]) {
    await resize(page, width);
    expect(await smallTargets(page.getByRole("banner")), `header at ${String(width)} px`).toEqual([]);
    expect(await smallTargets(page.getByRole("contentinfo")), `footer at ${String(width)} px`).toEqual([]);
  }
});
