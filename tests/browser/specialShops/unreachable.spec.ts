import type { Locator, Page } from "@playwright/test";
import { heading, open } from "../support/page";
import { recordViolations } from "../support/policy";
import { ROUTES } from "../support/routes";
import { compare, visit } from "../support/sideBySide";
import { andMore, expect, test } from "../support/test";
import { translate } from "../support/translator";

test.use({ shopName: "unreachable" });

const LISTINGS = ["/products", "/sale", "/new-arrivals", "/best-sellers", "/deals", "/category/beauty", "/search/watch"];

const FAILED = [...LISTINGS, "/", "/categories", "/brands", "/product/1"];

test("a page whose catalogue does not answer is 503 and asks to come back", async ({ page, context, watch }) => {
  const violations = await recordViolations(context);
  for (const path of FAILED) {
    await test.step(path, async () => {
      watch.expectStatus(503);
      const response = await open(page, path);
      expect(response.status(), path).toBe(503);
      expect(Number(response.headers()["retry-after"]), path).toBeGreaterThan(0);
      await expect(heading(page), path).toBeVisible();
      await expect(page.getByRole("navigation", { name: "Main" }).getByText("All Categories"), path).toHaveAttribute("href", "/categories");
    });
  }
  expect(violations).toEqual([]);
});

/** What stands first, and what is told in smaller type below the link. */
async function expectOutage(page: Page, title: string, specified: [title: string, text: string]): Promise<void> {
  const main = page.getByRole("main");
  const parts = [
    main.getByRole("heading", { name: title, exact: true }),
    main.getByText("We could not reach the catalogue just now.", { exact: true }),
    main.getByRole("link", { name: "Try again" }),
    main.getByRole("heading", { name: specified[0], exact: true }),
    main.getByText(specified[1], { exact: true }),
  ];
  const tops: number[] = [];
  for (const part of parts) {
    await expect(part).toBeVisible();
    tops.push((await part.boundingBox())?.y ?? NaN);
  }
  expect(tops).toEqual([...tops].sort((one, other) => one - other));
  const size = (part: Locator) => part.evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
  expect(await size(main.getByText(specified[0], { exact: true }))).toBeLessThan(await size(main.getByText("We could not reach the catalogue just now.")));
  await expect(page).not.toHaveTitle(/not found/i);
  const description = page.locator("meta[name=description]");
  await expect(description).toHaveAttribute("content", /We could not reach the catalogue just now\.$/);
}

test("a listing that failed shows the empty message", async ({ page, watch }) => {
  for (const path of andMore(["/sale", "/category/beauty", "/search/watch"], ["/products?rating=4", "/products", "/new-arrivals", "/best-sellers", "/deals"])) {
    watch.expectStatus(503);
    await open(page, path);
    await expectOutage(page, "The products could not be loaded", ["No products found", "Try adjusting your filters or search terms"]);
    await expect(page.getByRole("main"), path).not.toContainText(/\d+ products?|from \$|% off/);
    await expect(page.getByRole("radio"), path).toHaveCount(0);
  }
});

test("categories and brands that failed are not counted", async ({ page, watch }) => {
  for (const path of ["/categories?q=mens", "/brands"]) {
    watch.expectStatus(503);
    await open(page, path);
    await expect(page.getByRole("link", { name: "Try again" })).toHaveAttribute("href", path);
    await expect(page.locator("meta[name=description]")).not.toHaveAttribute("content", /\d/);
  }
});

test("a product that failed shows 'Product not found'", async ({ page, watch }) => {
  watch.expectStatus(503);
  await open(page, "/product/1");
  await expect(heading(page)).toHaveText("This product could not be loaded");
  await expectOutage(page, "This product could not be loaded", ["Product not found", "The product you are looking for does not exist."]);
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

// The first test watches the pages that it opens.
test("no further page of such a shop violates the content security policy", async ({ page, context, watch }) => {
  watch.expectStatus(503, "some");
  watch.expectStatus(404, "some");
  const violations = await recordViolations(context);
  for (const { path } of ROUTES.filter((route) => !FAILED.includes(route.path))) await open(page, path);
  expect(violations).toEqual([]);
});

test("pages that failed and are translated try again as others do", async ({ page, context, watch }) => {
  watch.expectStatus(503, "some");
  const plain = await context.newPage();
  const paths = andMore(["/", "/sale?stock=1"], ["/product/1", "/brands"]);
  for (const path of paths) {
    for (const each of [plain, page]) await open(each, path);
    await translate(page);
    await compare(plain, page, [
      {
        name: `${path}, again`,
        act: async (each) => {
          const data = each.waitForResponse(/\/_data\//);
          await each.getByRole("main").getByRole("link", { name: "Try again" }).first().click();
          await data;
        },
      },
      visit("Deals"),
    ]);
  }
  expect(watch.documents).toHaveLength(2 * paths.length);
});
