import { heading, open } from "../support/page";
import { recordViolations } from "../support/policy";
import { ROUTES } from "../support/routes";
import { expect, test } from "../support/test";

test.use({ shopName: "unreachable" });

const LISTINGS = ["/products", "/sale", "/new-arrivals", "/best-sellers", "/deals", "/category/beauty", "/search/watch"];

for (const path of [...LISTINGS, "/", "/categories", "/brands", "/product/1"]) {
  test.describe(path, () => {
    test("a page whose catalogue does not answer is 503 and asks to come back", async ({ page, watch }) => {
      watch.expectStatus(503);
      const response = await open(page, path);
      expect(response.status()).toBe(503);
      expect(Number(response.headers()["retry-after"])).toBeGreaterThan(0);
      await expect(heading(page)).toBeVisible();
      await expect(page.getByRole("navigation", { name: "Main" }).getByText("All Categories")).toHaveAttribute("href", "/categories");
    });
  });
}

test("a listing that failed shows the empty message", async ({ page, watch }) => {
  for (const path of LISTINGS) {
    watch.expectStatus(503);
    await open(page, path);
    await expect(page.getByRole("main").getByRole("heading", { name: "No products found" })).toBeVisible();
    await expect(page.locator(".ListingHead"), path).not.toContainText(/\d+ products?|from \$|% off/);
    await expect(page.getByText("Try adjusting your filters or search terms", { exact: true })).toBeVisible();
  }
});

test("a product that failed shows 'Product not found'", async ({ page, watch }) => {
  watch.expectStatus(503);
  await open(page, "/product/1");
  await expect(heading(page)).toHaveText("Product not found");
  await expect(page.getByText("The product you are looking for does not exist.", { exact: true })).toBeVisible();
});

test("every section of the home page that failed says so", async ({ page, watch }) => {
  watch.expectStatus(503);
  await open(page, "/");
  for (const name of ["Featured", "Best Sellers", "New Arrivals"]) {
    const section = page.getByRole("region", { name, exact: true });
    await expect(section.getByRole("heading", { name: "Oops! Something went wrong" })).toBeVisible();
    await expect(section.getByText("We couldn't load the products. Please try again later.", { exact: true })).toBeVisible();
  }
});

test("an address that nothing matches is still 404", async ({ page, watch }) => {
  watch.expectStatus(404);
  expect((await open(page, "/no/such/page")).status()).toBe(404);
});

test("a failure of the catalogue is logged by the host and alerts nobody", async ({ page, shop, watch }) => {
  watch.expectStatus(503);
  const alerts: string[] = [];
  page.on("dialog", async (dialog) => {
    alerts.push(dialog.message());
    await dialog.dismiss();
  });
  await open(page, "/products");
  expect(alerts).toEqual([]);
  expect(watch.logs).toEqual([]);
  await expect.poll(() => shop.log()).toContain("the catalogue did not answer");
});

test("a page that failed violates no content security policy", async ({ page, context, watch }) => {
  watch.expectStatus(503, "some");
  watch.expectStatus(404, "some");
  const violations = await recordViolations(context);
  for (const { path } of ROUTES) await open(page, path);
  expect(violations).toEqual([]);
});
