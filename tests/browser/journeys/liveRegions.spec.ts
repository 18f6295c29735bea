import { expectFewRegions } from "../support/liveRegions";
import { cards, open, openStopped } from "../support/page";
import { expect, test } from "../support/test";

// `everyShop/routes.spec.ts` counts the regions of each page as it opens.

test("what opens, loads and fails adds few live regions", async ({ page, watch, context }) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/, "some");
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, "/products");
  await page.getByRole("button", { name: /^Filters/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectFewRegions(page, "the filter panel");

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.route(/\/_data\/brands/, () => undefined);
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("link", { name: "Brands" }).click();
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
  await expectFewRegions(page, "before another page");
  await navigation.getByRole("link", { name: "Deals" }).click();
  await page.waitForURL("/deals");
  await context.setOffline(true);
  await page.getByRole("checkbox", { name: /In stock only/ }).click();
  await expect(page.getByText("The shop did not answer")).toBeVisible();
  await expectFewRegions(page, "a failed change");
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  test("the viewer adds few live regions", async ({ page }) => {
    await open(page, "/product/1");
    await page.locator(".GalleryStage").first().tap();
    await expect(page.getByRole("dialog", { name: /full screen/ })).toBeVisible();
    await expectFewRegions(page, "the viewer");
  });
});

test("a card says in the page's one region that its product is being added", async ({ page }) => {
  await openStopped(page, "/");
  const card = cards(page).first();
  const title = await card.getByRole("heading").innerText();
  await card.getByRole("button", { name: `Add ${title}`, exact: true }).click();
  const region = page.getByRole("status").filter({ hasText: `Adding... ${title}` });
  await expect(region).toHaveCount(1);
  await page.clock.runFor(500);
  await expect(region).toHaveCount(0);
});
