import { expectListing, filters, option, resultCount } from "../support/listing";
import { cards, heading, open } from "../support/page";
import { expect, test } from "../support/test";

const NOTICE = "The shop did not answer, so nothing has changed.";
const REFUSED = /\/_data\/category\/beauty\?max=10$/;
const OOPS = "Oops! Sorry, an unexpected error has occurred.";

test("a filter that is chosen offline leaves the listing as it is, and is applied when the connection is back", async ({ page, context, shop, watch }) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/, "some");
  await open(page, "/products");
  const count = await resultCount(page).innerText();
  await context.setOffline(true);
  // The click is not `check`, which wants the box to stay checked.
  await option(page, "checkbox", "In stock only").click();
  const notice = page.getByRole("status").filter({ hasText: NOTICE });
  await expect(notice).toBeVisible();
  await expect(notice.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(option(page, "checkbox", "In stock only")).not.toBeChecked();
  await expect(resultCount(page)).toHaveText(count);
  await expect(cards(page)).toHaveCount(48);
  await expect(page).toHaveURL("/products");
  expect(watch.logs).toEqual(["A change of the page failed: Failed to fetch"]);

  await context.setOffline(false);
  await expect(page).toHaveURL("/products?stock=1");
  await expectListing(page, shop.products.filter(({ stock }) => stock > 0));
  await expect(option(page, "checkbox", "In stock only")).toBeChecked();
  await expect(notice).toHaveCount(0);
});

test("a filter that the shop refuses leaves the listing as it is, and can be tried again", async ({ page, watch }) => {
  watch.expectStatus(503, 2);
  await open(page, "/category/beauty");
  await page.route(REFUSED, (route) => route.fulfill({ status: 503, body: "busy" }));
  await filters(page).getByRole("spinbutton", { name: "Highest price" }).fill("10");
  const retry = page.getByRole("status").filter({ hasText: NOTICE }).getByRole("button", { name: "Try again" });
  await expect(retry).toBeVisible();
  await expect(filters(page).getByRole("spinbutton", { name: "Highest price" })).not.toHaveValue("10");
  const again = page.waitForResponse(REFUSED);
  await retry.click();
  await again;
  await expect(retry).toBeVisible();
  await page.unroute(REFUSED);
  await retry.click();
  await expect(page).toHaveURL("/category/beauty?max=10");
  await expect(filters(page).getByRole("spinbutton", { name: "Highest price" })).toHaveValue("10");
  await expect(retry).toHaveCount(0);
});

test("a page that could not be loaded offers to try again, and does so when the connection is back", async ({ page, context, watch }) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/, "some");
  await open(page, "/");
  await context.setOffline(true);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Deals" }).click();
  await expect(heading(page)).toHaveText(OOPS);
  await expect(page.getByRole("main").getByText("Failed to fetch", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(heading(page)).toHaveText(OOPS);
  await context.setOffline(false);
  await expect(heading(page)).toHaveText("Deals");
  await expect(cards(page).first()).toBeVisible();
});
