import { categoryTiles, heading, open, resize, WIDTHS } from "../support/page";
import { expect, MORE, test } from "../support/test";

test("without a match it says 'No categories found matching' with the text", async ({ page }) => {
  await open(page, "/categories");
  await page.getByRole("searchbox", { name: "Filter categories" }).fill("xyz");
  await expect(page.getByRole("main").getByRole("status")).toHaveText('No categories found matching "xyz"');
  await expect(categoryTiles(page)).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Show all categories" }).click();
  await expect(page).toHaveURL("/categories");
  await expect(page.getByRole("searchbox", { name: "Filter categories" })).toHaveValue("");
  await expect(categoryTiles(page).nth(1)).toBeVisible();
});

test("the filter lives in the address", async ({ page }) => {
  await open(page, "/categories");
  await page.getByRole("searchbox", { name: "Filter categories" }).fill("mens shirts");
  await expect(page).toHaveURL("/categories?q=mens%20shirts");
  await page.reload();
  await expect(categoryTiles(page)).toHaveCount(1);
  await categoryTiles(page).click();
  await expect(heading(page)).toHaveText("Mens Shirts");
  await page.goBack();
  await expect(heading(page)).toHaveText("Categories");
  await expect(page.getByRole("searchbox", { name: "Filter categories" })).toHaveValue("mens shirts");
  await expect(categoryTiles(page)).toHaveCount(1);
});

for (const width of WIDTHS) {
  test(`the layout toggles between grid and list at ${width} px`, { tag: width === 360 ? [] : MORE }, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, "/categories");
    const layout = page.getByRole("group", { name: "Layout" });
    const [grid, list] = [layout.getByRole("button", { name: "Grid view" }), layout.getByRole("button", { name: "List view" })];
    const nameStands = () =>
      categoryTiles(page).first().evaluate((tile) => {
        const [picture, words] = Array.from(tile.children, (part) => part.getBoundingClientRect());
        return picture !== undefined && words !== undefined && words.top >= picture.bottom ? "below" : "beside";
      });
    await expect(grid).toHaveAttribute("aria-pressed", "true");
    expect(await nameStands()).toBe("below");
    await list.click();
    await expect(list).toHaveAttribute("aria-pressed", "true");
    await expect(grid).toHaveAttribute("aria-pressed", "false");
    expect(await nameStands()).toBe("beside");
    await grid.click();
    expect(await nameStands()).toBe("below");
  });
}

test("every row of the category cards is full", async ({ page }) => {
  await open(page, "/categories");
  for (const width of [...WIDTHS, 1920]) {
    await resize(page, width);
    const tops = await categoryTiles(page).evaluateAll((tiles) => tiles.map((tile) => Math.round(tile.getBoundingClientRect().top)));
    const rows = new Map<number, number>();
    for (const top of tops) rows.set(top, (rows.get(top) ?? 0) + 1);
    expect(new Set(rows.values()).size, `rows at ${width} px`).toBe(1);
  }
});
