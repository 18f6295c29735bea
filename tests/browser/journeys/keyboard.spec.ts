import type { Page } from "@playwright/test";
import { cards, heading, open, openStopped } from "../support/page";
import { expect, MORE, test } from "../support/test";

/** Presses Tab until an element has the focus, as a shopper without a mouse would. */
async function tabTo(page: Page, name: RegExp, limit = 60): Promise<void> {
  for (let presses = 0; presses < limit; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute("aria-label") ?? element?.textContent.trim() ?? "";
    });
    if (name.test(focused)) return;
  }
  throw new Error(`Tab does not reach ${String(name)}`);
}

test("the first Tab offers to skip to the content", async ({ page }) => {
  await open(page, "/products");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  expect(await page.getByRole("main").evaluate((main) => main.contains(document.activeElement))).toBe(true);
});

test("a product is found and put into the cart by keyboard", async ({ page, watch }) => {
  await open(page, "/");
  await tabTo(page, /^Search products$/);
  await page.keyboard.type("watch");
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText('Search Results for "watch"');
  await expect(heading(page)).toBeFocused();
  const title = await cards(page).first().getByRole("heading").innerText();
  await cards(page).first().getByRole("link").focus();
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText(title);
  await expect(heading(page)).toBeFocused();
  const quantity = await page.getByRole("spinbutton", { name: "Quantity" }).inputValue();
  await tabTo(page, /^Add to Cart$/);
  await page.keyboard.press("Enter");
  await expect.poll(() => watch.logs).toEqual([`Add to cart: ${title} ${quantity}`]);
});

test("a category is chosen from the menu by keyboard", async ({ page }) => {
  await open(page, "/");
  await tabTo(page, /^All Categories$/);
  const trigger = page.getByRole("button", { name: "All Categories" });
  for (const key of ["Enter", "Enter", "Space"]) {
    const before = await trigger.getAttribute("aria-expanded");
    await page.keyboard.press(key);
    await expect(trigger).toHaveAttribute("aria-expanded", before === "true" ? "false" : "true");
  }
  await tabTo(page, /^Furniture$/);
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText("Furniture");
  await expect(heading(page)).toBeFocused();
});

test("leaving the category menu by keyboard closes it", async ({ page }) => {
  await open(page, "/");
  const trigger = page.getByRole("button", { name: "All Categories" });
  await trigger.press("Enter");
  await tabTo(page, /^New Arrivals$/);
  await expect(trigger).toHaveAttribute("aria-expanded", "false");
});

for (const { width, first } of [
  { width: 1280, first: "Title or description" },
  { width: 360, first: "Filters" },
]) {
  test(`at ${width} px the keyboard has a way past the products and back to the filters`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    await open(page, "/products");
    await page.getByRole("combobox", { name: "Sort by" }).focus();
    // The quick filters stand in between.
    await tabTo(page, /^Skip products$/);
    const skip = page.getByRole("link", { name: "Skip products" });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("navigation", { name: "Pages" }).getByRole("link").first()).toBeFocused();
    const back = page.getByRole("link", { name: "Back to filters" });
    await tabTo(page, /^Back to filters$/);
    await expect(back).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute("placeholder") ?? element?.textContent;
    })).toBe(first);
    await expect(page.locator(":focus")).toBeInViewport();
  });
}

test("the filter panel keeps the focus inside and gives it back on Escape", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "/category/beauty");
  const button = page.getByRole("button", { name: "Filters" });
  await button.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Filters" });
  await expect(panel).toBeVisible();
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    // Between its last and first element a modal dialog lets the browser's own controls have the focus.
    const where = await panel.evaluate(
      (dialog) => dialog.contains(document.activeElement) || document.activeElement === document.body,
    );
    expect(where).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(button).toBeFocused();
});

test("a Tab right after the press that opens the filter panel takes nothing from it", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  // Without frames the panel waits to become modal.
  await openStopped(page, "/category/beauty");
  const button = page.getByRole("button", { name: "Filters" });
  await button.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Filters" });
  await expect(panel).toBeVisible();
  await page.keyboard.press("Tab");
  expect(await panel.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  await page.clock.runFor(1_000);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(button).toBeFocused();
});

/** Whether what has the focus lies outside the window or under the sticky header. */
function focusIsHidden(): boolean {
  const element = document.activeElement ?? document.body;
  const { top, bottom } = element.getBoundingClientRect();
  const header = document.querySelector("header");
  const covered = header?.contains(element) === false && top < header.getBoundingClientRect().bottom - 1;
  // The skip link lies over the header.
  return top >= innerHeight || bottom <= 0 || (covered && element.closest("main, footer") !== null);
}

for (const path of ["/category/beauty", "/product/1", "/categories"]) {
  test.describe(path, { tag: path === "/categories" ? MORE : [] }, () => {
    test("Tab goes through the whole page, is never trapped and never hidden under the header", async ({ page }) => {
      await open(page, path);
      const visited: string[] = [];
      for (let arrived = false; !arrived; ) {
        await page.keyboard.press("Tab");
        const focused = await page.evaluate(() => ({
          element: document.activeElement?.outerHTML.slice(0, 120) ?? "",
          isLast: document.activeElement === Array.from(document.querySelectorAll("footer a")).at(-1),
        }));
        visited.push(focused.element);
        arrived = focused.isLast;
        await expect.poll(() => page.evaluate(focusIsHidden), focused.element).toBe(false);
        expect(visited.length).toBeLessThan(200);
      }
      expect(visited.length).toBeGreaterThan(20);
    });
  });
}
