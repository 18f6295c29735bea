import type { Locator, Page } from "@playwright/test";
import { cards, open, resize, sidewaysScroll } from "../support/page";
import { expect, test } from "../support/test";

const SECTIONS = ["Featured", "Best Sellers", "New Arrivals"];

/** The home page at 360 px was 7,700 px high when its sections were grids. */
const PHONE_HEIGHT = 4_700;

function shelf(page: Page, section: string): Locator {
  return page.getByRole("region", { name: section, exact: true }).getByRole("list");
}

interface Geometry {
  /** Where cards are fully visible. */
  left: number;
  right: number;
  items: { left: number; right: number; top: number; bottom: number }[];
  /** Everything fits. */
  isFull: boolean;
}

async function geometry(list: Locator): Promise<Geometry> {
  return list.evaluate((row) => {
    const { left, right } = row.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(row);
    const items = [...row.children].map((item) => {
      const box = item.getBoundingClientRect();
      return { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
    });
    return {
      left: left + parseFloat(paddingLeft),
      right: right - parseFloat(paddingRight),
      items,
      isFull: row.scrollWidth <= row.clientWidth,
    };
  });
}

test("on a phone the home page is short, and its sections scroll sideways without the page", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page, "/");
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(PHONE_HEIGHT);
  for (const section of SECTIONS) {
    const list = shelf(page, section);
    const [first, second] = (await geometry(list)).items;
    // The next card is cut off, which shows that there is more.
    expect(first?.right, section).toBeLessThan(360);
    expect(second?.left, section).toBeLessThan(345);
    expect(second?.right, section).toBeGreaterThan(360);

    await list.evaluate((row) => {
      row.scrollBy({ left: 260, behavior: "instant" });
    });
    // It rests where a card begins.
    await expect
      .poll(async () => {
        const { left, items } = await geometry(list);
        return items.findIndex((item) => Math.abs(item.left - left) <= 1);
      }, section)
      .toBeGreaterThan(0);
    expect(await sidewaysScroll(page), section).toBe(0);
    expect(await page.evaluate(() => scrollX), section).toBe(0);
  }
});

test("on wider windows each section is one row of whole cards", async ({ page }) => {
  await open(page, "/");
  for (const width of [640, 768, 1024, 1280, 1920]) {
    await resize(page, width);
    for (const section of SECTIONS) {
      const { left, right, items, isFull } = await geometry(shelf(page, section));
      const row = await shelf(page, section).boundingBox();
      const where = `${section} at ${width} px`;
      expect(new Set(items.map(({ top }) => top)).size, where).toBe(1);
      expect(new Set(items.map(({ bottom }) => bottom)).size, where).toBe(1);
      const whole = items.filter((item) => item.left >= left - 1 && item.right <= right + 1);
      expect(whole.length, where).toBeGreaterThanOrEqual(3);
      expect(Math.abs((whole[0]?.left ?? 0) - left), where).toBeLessThanOrEqual(1);
      expect(Math.abs((whole.at(-1)?.right ?? 0) - right), where).toBeLessThanOrEqual(1);
      expect(isFull, where).toBe(false);
      // Nothing of the next card is in sight.
      const end = (row?.x ?? 0) + (row?.width ?? 0);
      expect(items.filter((item) => item.left < end - 0.5), where).toHaveLength(whole.length);
    }
    expect(await sidewaysScroll(page), `${width} px`).toBe(0);
  }
});

test("the keyboard reaches the end of a shelf", async ({ page }) => {
  await open(page, "/");
  const section = page.getByRole("region", { name: "New Arrivals", exact: true });
  const last = cards(section).last();
  await expect(last).not.toBeInViewport({ ratio: 0.9 });
  await cards(section).nth(6).getByRole("button", { name: /^Add/ }).focus();
  await page.keyboard.press("Tab");
  expect(await last.evaluate((card) => card.contains(document.activeElement))).toBe(true);
  await expect(last).toBeInViewport({ ratio: 0.5 });
});

/** The arrows are drawn by the style sheet and are no elements, so that only the accessibility tree names them. */
async function arrows(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send("Accessibility.getFullAXTree");
  await client.detach();
  const buttons = nodes.filter(({ role }) => role?.value === "button").map(({ name }) => String(name?.value));
  return buttons.filter((name) => name === "Previous products" || name === "More products");
}

/** Whether the row stays where it is for the time of three frames; a click during the animation goes astray. */
async function rests(row: Locator): Promise<boolean> {
  return row.evaluate(async (element) => {
    const before = element.scrollLeft;
    for (let frame = 0; frame < 3; frame += 1) {
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    }
    return element.scrollLeft === before;
  });
}

test("a mouse scrolls a shelf by its arrows, and only where one leads on", async ({ page }) => {
  await open(page, "/");
  for (const section of SECTIONS) {
    const list = shelf(page, section);
    await list.scrollIntoViewIfNeeded();
    const scrolled = () => list.evaluate((row) => row.scrollLeft);
    expect(await scrolled(), section).toBe(0);
    const click = async (side: "left" | "right") => {
      const { left, right } = await geometry(list);
      const box = await list.boundingBox();
      await page.mouse.click(side === "left" ? left : right, (box?.y ?? 0) + 0.28 * (box?.height ?? 0) + 22);
    };
    await click("right");
    await expect.poll(() => arrows(page), section).toContain("Previous products");
    await expect.poll(() => rests(list), section).toBe(true);
    expect(await scrolled(), section).toBeGreaterThan(300);
    await click("left");
    await expect.poll(scrolled, section).toBe(0);
  }
  // At its beginning each has one; the other could do nothing.
  await expect.poll(() => arrows(page)).toEqual(SECTIONS.map(() => "More products"));

  // A narrow row is scrolled by touch; there the arrows would cover the only whole card.
  await resize(page, 360);
  await expect.poll(() => arrows(page)).toEqual([]);
});

test("the first of the featured products is larger than the others, and as high as they are with their heading", async ({ page }) => {
  await open(page, "/");
  const section = page.getByRole("region", { name: "Featured", exact: true });
  for (const width of [1024, 1280, 1920]) {
    await resize(page, width);
    const [lead, other] = await cards(section).evaluateAll((all) => all.slice(0, 2).map((card) => card.getBoundingClientRect()));
    const top = await section.locator(".SectionHeading").evaluate((element) => element.getBoundingClientRect().top);
    const at = `${width} px`;
    expect(lead?.width, at).toBeGreaterThan(1.25 * (other?.width ?? Infinity));
    expect(Math.abs((lead?.top ?? 0) - top), at).toBeLessThanOrEqual(1);
    const ends = await cards(section).locator(".AddButton").evaluateAll((all) => all.slice(0, 2).map((button) => button.getBoundingClientRect().bottom));
    expect(Math.abs((ends[0] ?? 0) - (ends[1] ?? Infinity)), at).toBeLessThanOrEqual(1);
    const pictures = await cards(section).locator(".ProductImage-picture").evaluateAll((all) => all.slice(0, 2).map((picture) => picture.clientHeight));
    expect(pictures[0], at).toBeGreaterThan(1.1 * (pictures[1] ?? Infinity));
  }
});
