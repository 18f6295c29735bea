import type { Page } from "@playwright/test";
import { open, resize } from "../support/page";
import { expect, test } from "../support/test";
import { PATHS } from "../support/testLanguage";

test.use({ shopName: "bracketed" });

/**
 * The texts that the page shows or that assistive technology says and that have Latin letters outside of brackets. A text
 * with elements in it is several texts, which together have both brackets.
 */
async function outsideBrackets(page: Page): Promise<string[]> {
  const [attributes, texts] = await page.evaluate(() => {
    const attributes: string[] = [document.title];
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ["aria-label", "aria-valuetext", "alt", "placeholder", "title"]) attributes.push(node.getAttribute(name) ?? "");
      } else if (node.parentElement?.closest("script, style, noscript") === null) texts.push(node.textContent ?? "");
    }
    // What cannot be shared shows the address.
    return [attributes, texts.map((text) => text.replace(location.href, ""))] as const;
  });
  return [...attributes, texts.join("\n")].flatMap((text) => {
    let rest = text;
    for (let before = ""; before !== rest; rest = rest.replace(/⟦[^⟦⟧]*⟧/g, "")) before = rest;
    return rest.match(/.*[A-Za-z⟦⟧].*/g) ?? [];
  });
}

for (const path of PATHS) {
  test(`has no other texts of the program on ${path} once the client is there`, async ({ page, watch }) => {
    if (path === "/missing") watch.expectStatus(404, "some");
    await open(page, path);
    expect(await outsideBrackets(page)).toEqual([]);
  });
}

test("has no other texts in what shoppers open and do", async ({ page }) => {
  await open(page, "/products");
  await page.locator(".CategoryMenu-trigger").click();
  await page.locator(".SearchBox-input").fill("Λάμ");
  await expect(page.getByRole("option").nth(2)).toBeVisible();
  expect(await outsideBrackets(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await resize(page, 360);
  await page.locator(".FilterPanel-button").click();
  await page.locator(".FilterPanel-foot").waitFor();
  expect(await outsideBrackets(page)).toEqual([]);
  await page.locator("dialog .FilterOption").last().click();
  await page.locator(".FilterChips-chip").first().waitFor({ state: "attached" });
  expect(await outsideBrackets(page)).toEqual([]);
});

test("has no other texts on a product that is used and a page that fails", async ({ page, watch }) => {
  await open(page, "/product/3");
  for (const button of await page.locator(".ProductActions .button").all()) {
    await button.click();
    expect(await outsideBrackets(page)).toEqual([]);
  }
  await page.locator(".GalleryStage").first().click();
  expect(await outsideBrackets(page)).toEqual([]);
  await open(page, "/product/4");
  await expect(page.locator(".RecentlyViewed")).toBeVisible();
  expect(await outsideBrackets(page)).toEqual([]);
  watch.expectStatus(503, "some");
  await page.route("**/_data/**", (route) => route.fulfill({ status: 503, body: "" }));
  await page.locator(".Footer-link").first().click();
  await expect(page.locator(".ErrorPage")).toBeVisible();
  expect(await outsideBrackets(page)).toEqual([]);
});
