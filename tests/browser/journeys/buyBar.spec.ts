import type { Page } from "@playwright/test";
import { heading, open } from "../support/page";
import { expect, test } from "../support/test";

test.use({ viewport: { width: 360, height: 740 } });

function bar(page: Page) {
  return page.locator(".BuyBar");
}

function addButton(page: Page) {
  return page.locator(".ProductActions").getByRole("button", { name: "Add to Cart" });
}

test("price and button are always in reach on a phone", async ({ page }) => {
  await open(page, "/product/1");
  const price = await page.locator(".Price--detail .Price-current").innerText();
  await expect(bar(page)).toBeInViewport({ ratio: 1 });
  await expect(bar(page)).toContainText(price);
  await addButton(page).evaluate((button) => {
    button.scrollIntoView({ block: "center" });
  });
  await expect(bar(page)).toBeHidden();
  await page.getByRole("region", { name: "Reviews" }).evaluate((reviews) => {
    reviews.scrollIntoView();
  });
  await expect(bar(page)).toBeInViewport({ ratio: 1 });
});

test("the bar adds what the page's own button adds", async ({ page, watch }) => {
  await open(page, "/product/1");
  const title = await heading(page).innerText();
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await page.evaluate(() => {
    scrollTo(0, document.body.scrollHeight);
  });
  const quantity = await page.getByRole("spinbutton", { name: "Quantity" }).inputValue();
  expect(Number(quantity)).toBeGreaterThan(1);
  await expect(bar(page)).toContainText(`${quantity} \u00D7 $`);
  await bar(page).getByRole("button", { name: "Add to Cart" }).click();
  await expect.poll(() => watch.logs).toEqual([`Add to cart: ${title} ${quantity}`]);
  await expect(bar(page)).toContainText("Noted. No cart here.");
  await expect(page.getByRole("main").getByRole("status").filter({ hasText: `Noted: quantity ${quantity}.` })).toBeAttached();
});

test("the bar covers neither the end of the page nor what has the focus", async ({ page }) => {
  await open(page, "/product/1");
  await expect(bar(page)).toBeVisible();
  await page.evaluate(() => {
    scrollTo(0, document.body.scrollHeight);
  });
  await expect
    .poll(async () => {
      const edge = await bar(page).boundingBox();
      const end = await page.getByText("A sample shop. Nothing here can be bought.").boundingBox();
      return (end?.y ?? 0) + (end?.height ?? 0) <= (edge?.y ?? 0);
    })
    .toBe(true);

  await page.evaluate(() => {
    scrollTo(0, 0);
  });
  const covered: string[] = [];
  for (let presses = 0; presses < 90; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const shown = document.querySelector(".BuyBar");
      const isBar = shown === null || shown.contains(element) || getComputedStyle(shown).visibility === "hidden";
      const { bottom, top } = element.getBoundingClientRect();
      const edge = shown?.getBoundingClientRect().top ?? innerHeight;
      // An element that is taller than the room above the bar can only show its beginning.
      const isCovered = !isBar && bottom > edge + 1 && top > 200;
      return { text: element.outerHTML.slice(0, 80), isCovered, isEnd: element.closest(".Footer-end") !== null };
    });
    if (focused.isCovered) covered.push(focused.text);
    if (focused.isEnd) break;
  }
  expect(covered).toEqual([]);
});

test("wide windows have no bar, and pages without JavaScript no button that would do nothing", async ({ page, browser, baseURL }) => {
  await open(page, "/product/1");
  await expect(bar(page)).toBeVisible();
  await page.setViewportSize({ width: 768, height: 600 });
  await expect(bar(page)).toBeHidden();

  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
  const plain = await context.newPage();
  await plain.goto(`${baseURL ?? ""}/product/1`);
  await expect(heading(plain)).toBeVisible();
  await expect(bar(plain)).toHaveCount(0);
  await expect(plain.getByRole("main").getByRole("button", { name: /^(Add to Cart|Save|Share)$/ })).toHaveCount(0);
  await context.close();
});
