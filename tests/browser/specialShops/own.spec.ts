import { findings } from "../support/findings";
import { heading, open } from "../support/page";
import { recordViolations } from "../support/policy";
import { expect, test } from "../support/test";

test.use({ shopName: "own" });

test("a product shows the picture beside the file and leads to where it is sold", async ({ page, context }) => {
  const violations = await recordViolations(context);
  await open(page, "/product/lamp");
  await expect(heading(page)).toHaveText("Oak Lamp");
  const picture = page.getByRole("group", { name: "Product images" }).locator("img").first();
  await expect(picture).toHaveAttribute("src", /^\/images\/512-[0-9a-f]{32}\.png#512x512[fcw]$/);
  await expect(picture).toHaveAttribute("srcset", /\/images\/512-[0-9a-f]{32}-800\.webp 512w$/);
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const link = page.getByRole("link", { name: "View at market.example" });
  await expect(link).toHaveAttribute("href", "https://www.market.example/lamp");
  await expect(page.getByRole("button", { name: "Add to Cart" })).toHaveCount(0);
  await link.focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Save" })).toBeFocused();
  expect(violations).toEqual([]);
});

test("axe finds nothing on the page of a product that is sold elsewhere, in both themes", async ({ page }) => {
  await open(page, "/product/lamp");
  expect(await findings(page)).toEqual([]);
});

for (const path of ["/", "/products", "/brands", "/page/terms"]) {
  test(`axe finds nothing on ${path} of a shop with a face of its own, in both themes`, async ({ page }) => {
    await open(page, path);
    expect(await findings(page)).toEqual([]);
  });
}

test("a product without a link has none", async ({ page }) => {
  await open(page, "/product/cup");
  await expect(page.getByText(/^View at/)).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the link to where a product is sold is there", async ({ page }) => {
    await page.goto("/product/lamp");
    await expect(page.getByRole("link", { name: "View at market.example" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Save" })).toBeHidden();
  });
});
