import type { Page } from "@playwright/test";
import { matching } from "../support/filters";
import { chips, expectListing, resultCount } from "../support/listing";
import { open, resize, WIDTHS } from "../support/page";
import type { Product } from "../support/products";
import { andMore, expect, test } from "../support/test";

const quick = (page: Page) => page.getByRole("list", { name: "Quick filters" }).getByRole("link");

test("a quick filter sets a filter of the form, becomes a chip, and keeps the other choices", async ({ page, shop }) => {
  await open(page, "/sale?rating=2");
  const cap = quick(page).filter({ hasText: /^Up to \$/ }).first();
  const label = (await cap.textContent()) ?? "";
  const max = Number(label.replace(/\D/g, ""));
  await expect(cap).toHaveAttribute("href", `/sale?max=${max}&rating=2`);
  await cap.click();
  await expect(page).toHaveURL(`/sale?max=${max}&rating=2`);
  await expect(resultCount(page)).toBeFocused();
  await expect(chips(page).filter({ hasText: label })).toHaveCount(1);
  await expect(quick(page).filter({ hasText: /^Up to/ })).toHaveCount(0);
  const isSoldOut = ({ stock }: Product) => Number(stock === 0);
  const sale = shop.products
    .filter(({ discountPercentage }) => Math.round(discountPercentage) >= 1)
    .sort((left, right) => isSoldOut(left) - isSoldOut(right) || right.discountPercentage - left.discountPercentage);
  await expectListing(page, matching(sale, { max, rating: 2 }));
});

test("each quick filter leaves fewer products, but some", async ({ page, shop }) => {
  for (const path of andMore(["/products", "/category/beauty"], ["/sale", "/deals", "/new-arrivals", "/best-sellers", "/search/a"])) {
    await open(page, path);
    const total = Number.parseInt((await resultCount(page).textContent()) ?? "", 10);
    const hrefs = await quick(page).evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    expect(hrefs.length, path).toBeLessThanOrEqual(6);
    if (path !== "/category/beauty") expect(hrefs.length, path).toBeGreaterThanOrEqual(3);
    await Promise.all(hrefs.map(async (href) => {
      const left = Number.parseInt(/>(\d+) products?</.exec(await (await page.request.get(`${shop.address}${href}`)).text())?.[1] ?? "", 10);
      expect(left, href).toBeGreaterThan(0);
      expect(left, href).toBeLessThan(total);
    }));
  }
});

test("occasions differ in their quick filters", async ({ page }) => {
  const first = async (path: string) => {
    await open(page, path);
    return quick(page).first();
  };
  await expect(await first("/sale")).toHaveText(/^Up to \$/);
  await expect(await first("/new-arrivals")).toHaveAttribute("href", /\?category=/);
});

test("the quick filters are one line inside of the window, on a phone, a tablet and a laptop", async ({ page }) => {
  for (const path of andMore(["/products", "/sale"], ["/new-arrivals", "/best-sellers", "/search/a"])) {
    await open(page, path);
    for (const width of WIDTHS) {
      await resize(page, width);
      const where = `${path} at ${width} px`;
      const row = await page.getByRole("list", { name: "Quick filters" }).boundingBox();
      const bottom = (row?.y ?? 0) + (row?.height ?? 0);
      const links = await quick(page).evaluateAll((all) => all.map((link) => {
        const { top, right } = link.getBoundingClientRect();
        return { top, right };
      }));
      const line = links.filter(({ top }) => top < bottom);
      expect(new Set(line.map(({ top }) => top)).size, where).toBe(1);
      if (width >= 640) {
        expect(line.length, where).toBeGreaterThanOrEqual(3);
        for (const { right } of line) expect(right, where).toBeLessThanOrEqual(width);
      }
      // On a phone they scroll in a row with the other controls.
      const room = width >= 640 ? row : await page.locator(".ListingPage-tools").boundingBox();
      expect(room?.x, where).toBeGreaterThanOrEqual(0);
      expect((room?.x ?? 0) + (room?.width ?? 0), where).toBeLessThanOrEqual(width);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(width);
    }
  }
});
