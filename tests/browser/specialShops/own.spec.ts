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

test("a product without a link is asked for by an email that names it", async ({ page }) => {
  await open(page, "/product/cup");
  await expect(page.getByText(/^View at/)).toHaveCount(0);
  const link = page.getByRole("link", { name: "Ask for it" });
  await expect(link).toHaveAttribute("href", /^mailto:shop@example\.org\?subject=Cup&body=Cup%0D%0Ahttp%3A%2F%2F127\.0\.0\.1%3A\d+%2Fproduct%2Fcup%0D%0A$/);
  await expect(page.getByRole("main").getByText("Free above 40")).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await open(page, "/product/lamp");
  await expect(link).toHaveCount(0);
});

test("the banner shows the picture that its shop names, in a window", async ({ page }) => {
  await open(page, "/");
  const picture = page.locator(".BannerWindow img");
  await expect(picture).toHaveAttribute("src", /^\/images\/180-/);
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

test("hearts and Save keep products in the browser, and the page of saved ones shows them as they are", async ({ page }) => {
  await open(page, "/products");
  await expect(page.getByRole("button", { name: "Account" })).toHaveCount(0);
  await page.getByRole("button", { name: "Save: Oak Lamp" }).click();
  await open(page, "/product/cup");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved in this browser.")).toBeVisible();
  await page.evaluate(() => {
    const saved = JSON.parse(localStorage.getItem("vitrine-saved") ?? "[]") as object[];
    localStorage.setItem("vitrine-saved", JSON.stringify([...saved, { id: "gone", title: "Old Chair" }]));
  });
  await page.getByRole("banner").getByRole("link", { name: "Saved products: 2" }).click();
  await expect(heading(page)).toHaveText("Saved");
  await expect(page.getByRole("article").getByRole("heading")).toHaveText(["Cup", "Oak Lamp"]);
  const gone = page.getByRole("region", { name: "No longer in the shop" });
  await expect(gone.getByRole("listitem")).toHaveText(["Old Chair"]);
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex,follow");
  expect(await findings(page)).toEqual([]);
  await gone.getByRole("button", { name: "Remove: Old Chair" }).click();
  await expect(gone).toHaveCount(0);
  const heart = page.getByRole("button", { name: "Save: Cup" });
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await heart.click();
  // It stays in sight, so that a slip can be mended.
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await open(page, "/saved");
  await expect(page.getByRole("article").getByRole("heading")).toHaveText(["Oak Lamp"]);
});

test("an empty list says how to fill it", async ({ page }) => {
  await open(page, "/saved");
  await expect(page.getByText("Nothing is saved yet. The heart of a product keeps it here.")).toBeVisible();
});

test("what cannot be shared is copied, and that is said", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "/product/cup");
  await page.evaluate(() => {
    Object.defineProperty(navigator, "share", { value: undefined, configurable: true });
    Reflect.deleteProperty(Navigator.prototype, "share");
    Reflect.deleteProperty(navigator, "share");
  });
  await page.getByRole("button", { name: "Share" }).click();
  await expect(page.getByRole("status").getByText("The address is copied.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});

test("a text has its notes, its parts and its pictures, and a wide table scrolls in a box of its own", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "/page/terms");
  await expect(heading(page)).toHaveText("Terms");
  await page.getByRole("link", { name: "part" }).click();
  await expect(page).toHaveURL(/#text-how-long$/);
  await expect(page.getByRole("listitem").filter({ hasText: "A note." })).toBeVisible();
  await expect(page.getByRole("img", { name: "A lamp" })).toHaveAttribute("src", /^\/images\/32-/);
  const box = page.locator(".TextPage-scroll");
  await box.focus();
  await expect(box).toBeFocused();
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the link to where a product is sold is there", async ({ page }) => {
    await page.goto("/product/lamp");
    await expect(page.getByRole("link", { name: "View at market.example" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Save" })).toBeHidden();
    await page.goto("/product/cup");
    await expect(page.getByRole("link", { name: "Ask for it" })).toBeVisible();
    await page.goto("/saved");
    const needed = page.locator(".SavedPage noscript p");
    await expect(needed).toBeVisible();
    await expect(needed).toHaveText("Saved products are kept by the browser, which needs JavaScript for that.");
  });
});
