import { findings } from "../support/findings";
import { cards, heading, open } from "../support/page";
import { expect, test } from "../support/test";

test.use({ shopName: "rows" });

for (const [width, height] of [[360, 740], [1280, 900]] as const) {
  test(`at ${width} px products without pictures are rows with number, stock and price`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await open(page, "/products");
    const row = page.getByRole("article").filter({ has: page.getByRole("link", { name: "Hex bolt M2", exact: true }) });
    for (const text of ["Rue, HB-2", "Sold out", "\u20ac2.50"]) await expect(row.getByText(text)).toBeVisible();
    const heights = await page.locator(".ProductGrid--list > li").evaluateAll((rows) => rows.map((element) => element.getBoundingClientRect().height));
    expect(heights.filter((rowHeight) => rowHeight < 56 || rowHeight > 64)).toEqual([]);
    expect(await findings(page)).toEqual([]);
  });
}

test("a switch shows them as cards", async ({ page }) => {
  await open(page, "/products");
  await page.getByRole("button", { name: "Grid view" }).click();
  await expect(page.locator(".ProductGrid--list > li")).toHaveCount(0);
  await expect(page.getByRole("article")).toHaveCount(12);
  await page.getByRole("button", { name: "List view" }).click();
  await expect(page.locator(".ProductGrid--list > li")).toHaveCount(12);
});

test("the page of a product without a picture has one column", async ({ page }) => {
  await open(page, "/product/2");
  await expect(heading(page)).toHaveText("Hex bolt M2");
  await expect(page.locator(".ProductGallery, .ProductGallery-frame")).toHaveCount(0);
  await expect(page.locator(".StockBadge")).toHaveText(["Sold out"]);
});

test("without a banner the shop's name and tagline stand in a low head", async ({ page }) => {
  await open(page, "/");
  const head = page.getByRole("main").locator("header");
  await expect(head.getByRole("heading", { level: 1 })).toHaveText("Shop");
  await expect(head.getByText("Bolts and nuts")).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test("a shop that keeps no list has no hearts and no page of saved products", async ({ page }) => {
  await open(page, "/products");
  await expect(cards(page)).toHaveCount(0);
  await expect(page.getByRole("banner").getByRole("link", { name: /^Saved/ })).toHaveCount(0);
  const answer = await page.request.get("/saved");
  expect(answer.status()).toBe(404);
  expect((await page.request.get("/_cards?keys=1")).status()).toBe(404);
  await open(page, "/product/2");
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Share" })).toBeVisible();
});
