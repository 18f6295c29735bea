import { breakClient, CLIENT, holdClient } from "../support/client";
import { filters } from "../support/listing";
import { hydrated } from "../support/page";
import { expect, test } from "../support/test";

test("the category filter applies by its button when the client fails to load", async ({ page, watch }) => {
  await breakClient(page, watch);
  await page.goto("/categories");
  await page.getByRole("searchbox", { name: "Filter categories" }).fill("watches");
  await page.getByRole("main").getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(2);
});

test("filters apply by the button when the client crashes on arrival", async ({ page, watch }) => {
  watch.expect(/uncaught: out of order/);
  await page.route(CLIENT, (route) => route.fulfill({ contentType: "text/javascript", body: 'throw new Error("out of order")' }));
  await page.goto("/products");
  await expect(filters(page).getByRole("button", { name: "Apply filters" })).toBeVisible();
});

test("filters apply by the button when the client fails while it takes over", async ({ page, watch }) => {
  watch.expect(/uncaught: out of order/);
  const body = 'export function start() { setTimeout(() => { throw new Error("out of order") }) }';
  await page.route(CLIENT, (route) => route.fulfill({ contentType: "text/javascript", body }));
  await page.goto("/products");
  await expect(filters(page).getByRole("button", { name: "Apply filters" })).toBeVisible();
});

test("a failing script that is not the shop's changes nothing while the client is awaited", async ({ page, watch }) => {
  watch.expect(/uncaught: not the shop's/);
  const client = await holdClient(page);
  await page.goto("/products", { waitUntil: "commit" });
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await page.evaluate(() => {
    return new Promise<void>((failed) => {
      addEventListener("error", () => { failed(); }, { once: true });
      setTimeout(() => { throw new Error("not the shop's"); });
    });
  });
  await expect(page.locator("html")).toHaveAttribute("data-client", "awaited");
  client.release();
  await hydrated(page);
});

test("what only the client serves is hidden when it fails to load", async ({ page, watch }) => {
  await breakClient(page, watch);
  await page.goto("/product/1");
  await expect(page.getByRole("button", { name: /^Switch to/ })).toBeHidden();
  await expect(page.getByRole("button", { name: "Next image" })).toBeHidden();
});

test("nothing is offered for the client's absence while it is on its way and once it is here", async ({ page }) => {
  const client = await holdClient(page);
  await page.goto("/products", { waitUntil: "commit" });
  const apply = page.locator(".FilterForm-apply");
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await expect(apply).toBeHidden();
  client.release();
  await hydrated(page);
  await expect(apply).toBeHidden();
  // A picture that is missing is no failure of the client.
  await page.locator("main img").first().evaluate((image) => { image.dispatchEvent(new Event("error")); });
  await expect(apply).toBeHidden();
});
