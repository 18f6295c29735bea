import { open, resize, sidewaysScroll, WIDTHS } from "../support/page";
import { andMore, expect, test } from "../support/test";

test("the title of a listing keeps its place while what follows in the document arrives", async ({ page }) => {
  const words = page.locator(".ListingHead-words");
  const places = async () => {
    const found: string[] = [];
    for (const width of WIDTHS) {
      await resize(page, width);
      found.push(await words.locator("h1").evaluate((title, at) => `${at} px: ${JSON.stringify(title.getBoundingClientRect())}`, width));
    }
    return found;
  };
  for (const path of andMore(["/category/beauty", "/sale"], ["/products"])) {
    await open(page, path);
    const whole = await places();
    await words.evaluate((begun) => {
      for (let node: Element | null = begun; node !== null; node = node.parentElement) {
        while (node.nextSibling !== null) node.nextSibling.remove();
      }
    });
    expect(await places(), path).toEqual(whole);
  }
});

test("header, sections and footer have one left and one right edge, on every page", async ({ page }) => {
  const edges = new Map<number, Set<string>>();
  for (const path of andMore(["/", "/products", "/product/1"], ["/category/beauty", "/categories", "/brands"])) {
    await open(page, path);
    for (const width of [360, 768, 1280, 1920]) {
      await resize(page, width);
      const found = await page.locator(".container").evaluateAll((all) =>
        all.map((container) => {
          const { left, right } = container.getBoundingClientRect();
          const { paddingLeft, paddingRight } = getComputedStyle(container);
          return `${String(Math.round(left + Number.parseFloat(paddingLeft)))} to ${String(Math.round(right - Number.parseFloat(paddingRight)))}`;
        }),
      );
      expect(found.length, path).toBeGreaterThanOrEqual(4);
      edges.set(width, new Set([...(edges.get(width) ?? []), ...found]));
      // What is seen at these edges: the shop's name, and the icon of the cart.
      const [left, right] = (found[0] ?? "").split(" to ").map(Number);
      const logo = await page.getByRole("banner").getByRole("link", { name: "Vitrine, home" }).boundingBox();
      const cart = await page.getByRole("button", { name: /^Cart/ }).locator("svg").boundingBox();
      expect(Math.abs((logo?.x ?? 0) - (left ?? 0)), `${path} at ${width} px`).toBeLessThanOrEqual(1);
      expect(Math.abs((cart?.x ?? 0) + (cart?.width ?? 0) - (right ?? 0)), `${path} at ${width} px`).toBeLessThanOrEqual(2);
    }
  }
  for (const [width, found] of edges) expect([...found], `${width} px`).toHaveLength(1);
});

test("the search field of the header is never wider than it has to be", async ({ page }) => {
  await open(page, "/");
  for (const width of [1024, 1200, 1280, 1920]) {
    await resize(page, width);
    const field = await page.getByRole("search").getByRole("searchbox").boundingBox();
    expect(field?.width, `${width} px`).toBeLessThanOrEqual(640);
    expect(field?.width, `${width} px`).toBeGreaterThanOrEqual(300);
  }
});

test("open menus and dialogs do not make a phone scroll sideways", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page, "/products");
  await page.getByLabel("Menu", { exact: true }).click();
  expect(await sidewaysScroll(page)).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Filters" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  // Where scroll bars take room, theirs stays reserved, and the page is narrower than the window.
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  expect(await page.getByRole("dialog").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
});

test("the panel closes when the window becomes wide enough for the sidebar", async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await open(page, "/products");
  await page.getByRole("button", { name: "Filters" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("region", { name: "Filters" }).getByRole("searchbox")).toBeVisible();
});
