import { heading, open } from "../support/page";
import { expect, MORE, test } from "../support/test";

// The part of an address behind `#` reaches no server, and may be anything.

const FRAGMENTS = ["#%", "#%E0%A4%A", "#reviews%", "#\u{1f6d2}"];

/** The same code reads the fragment on every page; a product has parts that one leads to. */
const PAGES = ["/product/1"];
const MORE_PAGES = ["/", "/products", "/categories"];

for (const path of [...PAGES, ...MORE_PAGES]) {
  const tag = MORE_PAGES.includes(path) ? MORE : [];
  test(`${path} is whole whatever fragment its address has`, { tag }, async ({ page }) => {
    for (const fragment of FRAGMENTS) {
      await page.goto("about:blank");
      await open(page, path + fragment);
      await expect(heading(page)).toBeVisible();
      await expect(page.getByRole("contentinfo")).toBeVisible();
    }
  });
}

test("a page that failed is whole once the connection is back, whatever fragment its address has", async ({ page, context, watch }) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/, "some");
  await open(page, "/");
  await context.setOffline(true);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" }).click();
  await expect(heading(page)).toHaveText("Oops! Sorry, an unexpected error has occurred.");
  const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/_data/deals"));
  await page.evaluate(() => { location.hash = "#%"; });
  await failed;
  await expect(heading(page)).toBeVisible();
  await context.setOffline(false);
  await expect(heading(page)).toHaveText("Deals");
  await expect(page).toHaveURL("/deals#%");
  await expect(page.getByRole("contentinfo")).toBeVisible();
});
