import { cards, open } from "../support/page";
import { recordViolations } from "../support/policy";
import { ROUTES, TEMPLATES } from "../support/routes";
import { expect, isAll, test } from "../support/test";

test.use({ shopName: "partial" });

/** The catalogue of this shop is never read as a whole. */
const ONLY_IN_VERSIONS = ["/brands", "/sale", "/new-arrivals", "/best-sellers", "/deals"];

test("a section of the home page fails alone", async ({ page }) => {
  const response = await open(page, "/");
  expect(response.status()).toBe(200);
  const failed = page.getByRole("region", { name: "Best Sellers", exact: true });
  await expect(failed.getByRole("heading", { name: "Oops! Something went wrong" })).toBeVisible();
  await expect(failed.getByText("We couldn't load the products. Please try again later.", { exact: true })).toBeVisible();
  await expect(cards(failed)).toHaveCount(0);
  for (const name of ["Featured", "New Arrivals"]) {
    await expect(cards(page.getByRole("region", { name, exact: true }))).toHaveCount(8);
  }
});

test("a category without a picture shows a placeholder", async ({ page }) => {
  await open(page, "/categories");
  const tiles = page.getByRole("main").getByRole("listitem").getByRole("link");
  await expect(tiles).toHaveCount(24);
  await expect(tiles.locator(".ProductImage-placeholder")).toHaveCount(24);
  await expect(tiles.locator("img")).toHaveCount(0);
});

test("a page that lacks a part violates no content security policy", async ({ page, context, watch }) => {
  watch.expectStatus(404, "some");
  const violations = await recordViolations(context);
  const routes = ROUTES.filter(({ path }) => !ONLY_IN_VERSIONS.includes(path) && (isAll || TEMPLATES.includes(path)));
  for (const { path } of routes) await open(page, path);
  expect(violations).toEqual([]);
});
